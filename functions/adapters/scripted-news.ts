import { createHash } from 'node:crypto';
import type { CallEnd, Entry, EventEntry, ResponseEntry } from '../core/entry.ts';
import type { TaskId } from '../core/ids.ts';
import type { Call } from '../core/turn.ts';

/** What a request brings that no reply has answered yet, as a scripted model looks at it. */
export interface Tail {
  readonly texts: readonly string[];
  /** Calls whose end is new, whether it came as a response or as an event. */
  readonly ended: readonly EndedCall[];
  /** Results before the last, progress and corrections, in order. */
  readonly events: readonly CallEvent[];
}

export interface EndedCall extends CallEnd {
  readonly callId: string;
  readonly taskId: TaskId | undefined;
  readonly tool: string;
  readonly arguments: unknown;
}

export interface CallEvent {
  readonly callId: string;
  readonly kind: 'progress' | 'partial' | 'question' | 'correction';
  readonly taskId: TaskId | undefined;
  readonly tool: string;
  readonly arguments: unknown;
  /** The words of its tag, such as "working 50%", and those inside. */
  readonly status: string;
  readonly words: string;
}

export interface PendingCall {
  readonly taskId: TaskId;
  readonly tool: string;
  readonly arguments: unknown;
}

/** Every end in a history, in the order in which they came. */
export const endsIn = (entries: readonly Entry[]): readonly EndedCall[] =>
  entries.flatMap((entry) => endIn(entry, entries) ?? []);

export function tailOf(entries: readonly Entry[]): Tail {
  const after = entries.findLastIndex(({ role }) => role === 'assistant') + 1;
  const tail = entries.slice(after);
  return {
    texts: tail.flatMap((entry) => (entry.role === 'user' ? [entry.text] : [])),
    ended: tail.flatMap((entry) => endIn(entry, entries) ?? []),
    events: tail.flatMap((entry) => (entry.role === 'event' ? eventIn(entry, entries) : [])),
  };
}

/** Calls whose placeholder the model sees and whose end it has not seen, oldest first. */
export function pendingIn(entries: readonly Entry[]): readonly PendingCall[] {
  const closed = new Set(
    entries.flatMap((entry) => (entry.role === 'event' && isEnd(entry) ? [entry.callId] : [])),
  );
  return entries.flatMap((entry) => {
    if (entry.role !== 'tool' || entry.status !== 'working' || !entry.taskId) return [];
    if (closed.has(entry.callId)) return [];
    return [{ taskId: entry.taskId, ...callOf(entry.callId, entries) }];
  });
}

/** The same for the same request, and no other in its session: entries carry their times. */
export function callIdFor(entries: readonly Entry[], index: number): string {
  const text = `${index} ${JSON.stringify(entries)}`;
  return `call_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

function endIn(entry: Entry, entries: readonly Entry[]): EndedCall | undefined {
  if (entry.role === 'tool') {
    return entry.status === 'working' ? undefined : ended(entry, entries);
  }
  if (entry.role !== 'event' || !isEnd(entry)) return undefined;
  const response = entries.find(
    (other): other is ResponseEntry => other.role === 'tool' && other.callId === entry.callId,
  );
  // Without an end of its own the event is a notice: the end stands in the response.
  const end = entry.end ?? response;
  const { callId, taskId } = entry;
  return end && ended({ ...end, callId, taskId }, entries);
}

type End = CallEnd & Pick<ResponseEntry, 'callId'> & { readonly taskId?: TaskId | undefined };

const ended = (
  { callId, taskId, status, value, error }: End,
  entries: readonly Entry[],
): EndedCall => ({
  callId,
  taskId,
  ...callOf(callId, entries),
  status,
  ...(value ? { value } : {}),
  ...(error ? { error } : {}),
});

const isEnd = ({ kind, end }: EventEntry) => kind === 'end' || end !== undefined;

function eventIn(event: EventEntry, entries: readonly Entry[]): readonly CallEvent[] {
  const { kind, callId, taskId, text } = event;
  if (isEnd(event) || kind === undefined || kind === 'end') return [];
  const [, status = '', words = ''] = fenced.exec(text) ?? [];
  return [{ callId, kind, taskId, ...callOf(callId, entries), status, words }];
}

/** An event's text: what its tag says of it, and what stands inside. */
const fenced = /^<\S+ \S+ \S+ ([^>]*)>([\s\S]*)<\/[^<]*>$/;

/** Ids are made unique within a history, so the newest is the only one. */
function callOf(callId: string, entries: readonly Entry[]): Pick<Call, 'tool' | 'arguments'> {
  const calls = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
  const call = calls.findLast((one) => one.callId === callId);
  return { tool: call?.tool ?? '', arguments: call?.arguments };
}
