import { callIdsIn, callMark } from './call-id.ts';
import type { AssistantEntry, Entry, EventEntry, ResponseEntry, SystemEntry } from './entry.ts';
import { asNotice } from './event-text.ts';
import { exchangesOf, isUserSide, withoutStale } from './exchange.ts';
import { closeInPlace } from './history-events.ts';
import { callMarksMax, historyBytesMax, turnsPerSnapshot } from './limits.ts';
import { bytesOf } from './text.ts';

/** A history as it is kept: its entries, and marks of the calls whose ids must not come again. */
export interface CompactedHistory {
  readonly entries: readonly Entry[];
  readonly callMarks: readonly string[];
}

/** Of the calls so far the newest, whether or not their entries are left out. */
export const callMarksAfter = (
  entries: readonly Entry[],
  before: readonly string[] = [],
): readonly string[] =>
  [...new Set([...before, ...[...callIdsIn(entries)].map(callMark)])].slice(-callMarksMax);

/** Half as much again as is kept, so that one compaction lasts for many turns. */
const bytesTooMany = historyBytesMax * 1.5;

export const needsCompaction = (turnsSinceSnapshot: number, bytes = 0): boolean =>
  turnsSinceSnapshot >= turnsPerSnapshot || bytes > bytesTooMany;

/**
 * A history made small for good: results stand in their placeholders' places, what only told of them is
 * gone, and the oldest exchanges are left out, but never a call that is still open.
 */
export function compact(entries: readonly Entry[], bytesMax: number): readonly Entry[] {
  const settled = settle(entries);
  const opening = settled.filter((entry) => entry.role === 'system');
  const said = settled.filter((entry) => entry.role !== 'system');
  const kept = keepNewest(said, bytesMax - historyBytes(opening));
  const leftOut = said.length - kept.length;
  const next =
    leftOut === 0 ? [...opening, ...kept] : [...openingWithout(opening, leftOut), ...kept];
  return withoutBoundParts(next, entries);
}

/** Ends move from their events to the responses; events of closed calls go. */
function settle(entries: readonly Entry[]): readonly Entry[] {
  const ends = new Map(
    entries.flatMap((entry) =>
      entry.role === 'event' && entry.end ? [[entry.taskId, entry]] : [],
    ),
  );
  const closed = new Set<string>();
  const next = entries.map((entry) => {
    if (entry.role !== 'tool' || entry.taskId === undefined) return entry;
    const response = withEnd(entry, ends.get(entry.taskId));
    if (response.status !== 'working') closed.add(entry.taskId);
    return response;
  });
  return dropTold(next, closed);
}

const withEnd = (response: ResponseEntry, event: EventEntry | undefined): ResponseEntry =>
  response.status === 'working' && event?.end
    ? closeInPlace(response, event.end, event.atMs)
    : response;

/** What the model has not read yet stays at the tail, or it would answer what came before. */
function dropTold(entries: readonly Entry[], closed: ReadonlySet<string>): readonly Entry[] {
  const unread = entries.findLastIndex((entry) => !isUserSide(entry)) + 1;
  const isTold = (entry: Entry): entry is EventEntry =>
    entry.role === 'event' &&
    (entry.kind === 'progress' || entry.kind === 'end') &&
    closed.has(entry.taskId ?? '');
  const read = withoutStale(entries.slice(0, unread), isTold);
  return [...read, ...entries.slice(unread)].map((entry) =>
    isTold(entry) && entry.end ? asNotice(entry) : entry,
  );
}

function keepNewest(entries: readonly Entry[], bytesMax: number): readonly Entry[] {
  const [newest = [], ...older] = exchangesOf(entries).toReversed();
  const kept = [newest];
  let bytes = historyBytes(newest);
  let isFull = false;
  for (const exchange of older) {
    const size = historyBytes(exchange);
    isFull ||= bytes + size > bytesMax;
    const part = isFull ? openPart(exchange) : exchange;
    bytes += isFull ? historyBytes(part) : size;
    kept.push(part);
  }
  return kept.toReversed().flat();
}

/** Of an exchange that is left out: the calls that are still open, and what they were asked for. */
function openPart(exchange: readonly Entry[]): readonly Entry[] {
  const open = new Map(
    exchange.flatMap((entry) =>
      entry.role === 'tool' && entry.status === 'working' ? [[entry.callId, entry]] : [],
    ),
  );
  if (open.size === 0) return [];
  const firstReply = exchange.findIndex(({ role }) => role === 'assistant');
  const asked = exchange.slice(0, Math.max(0, firstReply));
  const waiting = exchange.flatMap((entry): readonly Entry[] => {
    if (entry.role !== 'assistant') return [];
    const calls = entry.calls.filter(({ callId }) => open.has(callId));
    const responses = calls.flatMap(({ callId }) => open.get(callId) ?? []);
    return calls.length === 0 ? [] : [{ ...entry, calls }, ...responses];
  });
  return [...asked, ...waiting];
}

/** The size of a history, as it is counted against what is kept. */
export const historyBytes = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + bytesOf(JSON.stringify(entry)), 0);

function openingWithout(opening: readonly SystemEntry[], count: number): readonly SystemEntry[] {
  const first = opening.filter(({ leftOut }) => leftOut === undefined);
  const before = opening.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  const leftOut = before + count;
  const text = `${leftOut} earlier entries of this history were left out.`;
  return [...first, { role: 'system', text, atMs: first[0]?.atMs ?? 0, leftOut }];
}

/** A provider's parts are bound to what stood before them; where that has changed they would be refused. */
function withoutBoundParts(next: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const changed = next.findIndex((entry, index) => entry !== before[index]);
  return next.map((entry, index) =>
    changed !== -1 && index >= changed && entry.role === 'assistant' ? withoutParts(entry) : entry,
  );
}

const withoutParts = ({ parts: _bound, ...entry }: AssistantEntry): AssistantEntry => entry;
