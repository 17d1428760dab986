import { auditPlaceOf, type AuditEntry } from '../core/audit.ts';
import type { Owner } from '../core/ids.ts';
import type { AuditStore } from '../ports.ts';

export function memoryAuditStore(): AuditStore {
  const rows = new Map<Owner, Map<string, AuditEntry>>();
  return {
    async add(owner, entry) {
      const own = rows.get(owner) ?? new Map<string, AuditEntry>();
      rows.set(owner, own.set(auditPlaceOf(entry), entry));
    },
    async list(owner, { limit, cursor }) {
      const sorted = [...(rows.get(owner) ?? [])]
        .toSorted(([a], [b]) => (a < b ? 1 : -1))
        .filter(([name]) => cursor === undefined || name < cursor);
      const page = sorted.slice(0, limit);
      const items = page.map(([, entry]) => entry);
      const last = page.at(-1)?.[0];
      return last !== undefined && sorted.length > limit ? { items, cursor: last } : { items };
    },
  };
}
