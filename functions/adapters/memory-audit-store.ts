import { auditPlaceOf, type AuditEntry } from '../core/audit.ts';
import type { AuditStore } from '../ports.ts';

const bookOf = (owner: string, about = '') => `${owner}#${about}`;

export function memoryAuditStore(): AuditStore {
  const rows = new Map<string, Map<string, AuditEntry>>();
  return {
    async add(owner, entry, about) {
      const book = bookOf(owner, about);
      const own = rows.get(book) ?? new Map<string, AuditEntry>();
      rows.set(book, own.set(auditPlaceOf(entry), entry));
    },
    async list(owner, { limit, cursor }, about) {
      const sorted = [...(rows.get(bookOf(owner, about)) ?? [])]
        .toSorted(([a], [b]) => (a < b ? 1 : -1))
        .filter(([name]) => cursor === undefined || name < cursor);
      const page = sorted.slice(0, limit);
      const items = page.map(([, entry]) => entry);
      const last = page.at(-1)?.[0];
      return last !== undefined && sorted.length > limit ? { items, cursor: last } : { items };
    },
  };
}
