import type { Entry, EventEntry, ResponseEntry, UserEntry } from './entry.ts';

type UserSideEntry = UserEntry | EventEntry | ResponseEntry;

/** What stands in a user's message: providers have no other place for responses and events. */
export const isUserSide = (entry: Entry): entry is UserSideEntry =>
  entry.role === 'user' || entry.role === 'event' || entry.role === 'tool';

const isSaid = (entry: Entry | undefined) => entry?.role === 'user' || entry?.role === 'event';

/** Entries as they become messages: what stands on the user's side without a break is one. */
export const runsOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] =>
  partition(entries, (entry, before) => !isUserSide(entry) || !isUserSide(before));

/**
 * What was said to the model, up to the next time something is said. Any selection of exchanges is as legal
 * as the whole: each begins on the user's side and keeps its calls with their responses.
 */
export const exchangesOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] =>
  partition(entries, (entry, before) => isSaid(entry) && !isSaid(before));

function partition(
  entries: readonly Entry[],
  begins: (entry: Entry, before: Entry) => boolean,
): readonly (readonly Entry[])[] {
  const parts: Entry[][] = [];
  let before: Entry | undefined;
  for (const entry of entries) {
    const part = parts.at(-1);
    if (!part || !before || begins(entry, before)) parts.push([entry]);
    else part.push(entry);
    before = entry;
  }
  return parts;
}

/**
 * Without the entries that nobody needs any more. A message of nothing else keeps its last, because two
 * replies in a row are illegal.
 */
export const withoutStale = (
  entries: readonly Entry[],
  isStale: (entry: Entry) => boolean,
): readonly Entry[] =>
  runsOf(entries).flatMap((run) => {
    const kept = run.filter((entry) => !isStale(entry));
    return kept.length > 0 ? kept : run.slice(-1);
  });
