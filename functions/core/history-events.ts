import type { CallEnd, Entry, EventEntry, ResponseEntry } from './entry.ts';
import { eventText, noticeText } from './event-text.ts';
import { withoutStale } from './exchange.ts';
import { cleanError } from './response-text.ts';
import type { Delivery, Intent } from './turn.ts';

/** A history with what a task brought. A call is closed once, and nothing of it is news after that. */
export function deliver(
  entries: readonly Entry[],
  delivery: Delivery,
  intent: Intent,
): readonly Entry[] {
  const response = responseOf(entries, delivery);
  if (isOldNews(entries, delivery, intent, response)) return entries;
  const isEnd = delivery.kind === 'end';
  if (response && isEnd && delivery.way === 'replace') {
    return replace(entries, response, delivery, intent);
  }
  const text = eventText(delivery, intent, response !== undefined);
  const event = eventEntry(delivery, intent, text);
  return [...entries, isEnd && response ? { ...event, end: endOf(delivery) } : event];
}

/** Ids of calls may repeat over a long life; the task is the same only once. */
const isResponseOf = (entry: Entry, { callId, taskId }: Delivery): entry is ResponseEntry =>
  entry.role === 'tool' && entry.callId === callId && entry.taskId === taskId;

const responseOf = (entries: readonly Entry[], delivery: Delivery) =>
  entries.find((entry): entry is ResponseEntry => isResponseOf(entry, delivery));

function isOldNews(
  entries: readonly Entry[],
  { kind, taskId }: Delivery,
  { deliveries }: Intent,
  response: ResponseEntry | undefined,
): boolean {
  if (kind === 'partial') return false;
  const told = entries.flatMap((entry) =>
    entry.role === 'event' && entry.taskId === taskId ? [entry] : [],
  );
  if (kind === 'correction') return told.some((event) => event.kind === kind);
  const isClosed = response !== undefined && response.status !== 'working';
  if (isClosed || told.some(({ end }) => end)) return true;
  // What is over is not said to be half done.
  return (
    kind === 'progress' && deliveries.some((one) => one.kind === 'end' && one.taskId === taskId)
  );
}

/** The result goes back to its call; the tail only says so, or the model would answer what came before. */
function replace(
  entries: readonly Entry[],
  response: ResponseEntry,
  delivery: Delivery,
  intent: Intent,
): readonly Entry[] {
  const closed = closeInPlace(response, delivery, intent.beganAtMs);
  const notice = eventEntry(delivery, intent, noticeText(delivery, intent.nonce));
  const next = entries.map((entry) => (entry === response ? closed : entry));
  return withoutStale([...next, notice], (entry) => isProgressOf(entry, delivery));
}

/** Results that came before the last one are no mere status: they stay. */
const isProgressOf = (entry: Entry, { taskId }: Delivery) =>
  entry.role === 'event' && entry.kind === 'progress' && entry.taskId === taskId;

/** The placeholder as the response for good. */
export function closeInPlace(
  { initial: _past, ...response }: ResponseEntry,
  end: CallEnd,
  atMs: number,
): ResponseEntry {
  return { ...response, ...endOf(end), atMs };
}

export function endOf({ status, value, error }: CallEnd): CallEnd {
  if (status === 'failed') return { status, error: cleanError(error) };
  return value ? { status, value } : { status };
}

const eventEntry = (delivery: Delivery, intent: Intent, text: string): EventEntry => ({
  role: 'event',
  text,
  atMs: intent.beganAtMs,
  trigger: intent.trigger,
  callId: delivery.callId,
  sequence: delivery.sequence,
  taskId: delivery.taskId,
  kind: delivery.kind,
});
