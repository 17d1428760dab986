import { digestOf } from './digest.ts';
import type { Entry } from './entry.ts';

const idLengthMax = 64;
/** What the strictest provider takes. */
const isLegal = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Whether an id was given to a call before. */
export type UsedIds = Pick<ReadonlySet<string>, 'has'>;

/** The model's own id; one that is repeated or ill-formed gets a legal one, the same each time. */
export function uniqueCallId(id: string, used: UsedIds): string {
  if (isLegal.test(id) && !used.has(id)) return id;
  const base = id.replaceAll(/[^A-Za-z0-9_.:-]/g, '_').slice(0, idLengthMax) || 'call';
  if (base !== id && !used.has(base)) return base;
  for (let count = 2; ; count += 1) {
    const suffix = `_${count}`;
    const unique = `${base.slice(0, idLengthMax - suffix.length)}${suffix}`;
    if (!used.has(unique)) return unique;
  }
}

/** Ids of our own making and of most scripts are shorter, and told whole. */
const briefLengthMax = 16;
const tailLength = 6;

/** A long id by its end, as much of it as no other call ends with. */
export function shortCallId(id: string, others: readonly string[]): string {
  if (id.length <= briefLengthMax) return id;
  for (let length = tailLength; length < id.length; length += tailLength) {
    const tail = id.slice(-length);
    if (!others.some((other) => other !== id && other.endsWith(tail))) return `..${tail}`;
  }
  return id;
}

/** Enough to tell ids apart, and short enough to keep thousands. */
export const callMark = (id: string): string => digestOf(id).slice(0, 8);

/** Every call id that stands in a history. */
export const callIdsIn = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(
    entries.flatMap((entry) =>
      entry.role === 'assistant' ? entry.calls.map(({ callId }) => callId) : [],
    ),
  );
