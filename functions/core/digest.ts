import { createHash } from 'node:crypto';

/** JSON with sorted keys, so that equal values have equal text whatever order a client wrote them in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner);
    // No prototype, so that a key named "__proto__" stays a key.
    const sorted: Record<string, unknown> = Object.create(null);
    for (const [key, item] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) sorted[key] = item;
    return sorted;
  });
}

export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');
