import { shortCallId } from './call-id.ts';
import type { EventEntry } from './entry.ts';
import { answerTool } from './handle.ts';
import { errorTextBytesMax, shownBytesMax } from './limits.ts';
import { endText, valueText } from './response-text.ts';
import type { Delivery, Intent } from './turn.ts';
import { fence, refence } from './untrusted-text.ts';

/** Room for a value's head and the line that says how to read on. */
const resultTextBytesMax = shownBytesMax + errorTextBytesMax;
/** The same for the lines that say how to answer. */
const questionTextBytesMax = shownBytesMax + 2 * errorTextBytesMax;

const bytesMaxOf = (kind: Delivery['kind']) =>
  kind === 'question' ? questionTextBytesMax : resultTextBytesMax;

type Said = Pick<Intent, 'nonce' | 'open' | 'deliveries'>;

/** What a task brought, as a line in the user's place. */
export function eventText(delivery: Delivery, intent: Said, isKnown: boolean): string {
  const { callId, kind } = delivery;
  const { nonce } = intent;
  const text = isKnown ? content(delivery) : `It belongs to no known call. ${content(delivery)}`;
  const status = statusOf(delivery);
  if (kind === 'progress') return fence(text, { nonce, call: briefly(callId, intent), status });
  return fence(text, { nonce, call: callId, status, bytesMax: bytesMaxOf(kind) });
}

/** Progress closes nothing, and a provider's id would cost more than the news itself. */
const briefly = (callId: string, { open, deliveries }: Said): string =>
  shortCallId(
    callId,
    [...open, ...deliveries].map((other) => other.callId),
  );

/** In place of a result that stands in the response to its call. */
const noticeWords = 'The outcome now stands in the response to this call.';

export const noticeText = ({ callId, status }: Delivery, nonce: string): string =>
  fence(noticeWords, { nonce, call: callId, status });

/** An event that told an end, once that end has moved to the response. */
export const asNotice = ({ end: _moved, ...event }: EventEntry): EventEntry => ({
  ...event,
  text: refence(event.text, noticeWords),
});

function content(delivery: Delivery): string {
  const { kind, message = '', value, taskId } = delivery;
  if (kind === 'progress') return message;
  if (kind === 'question') return questionText(delivery);
  return kind === 'partial'
    ? valueText(value, taskId, delivery.received)
    : endText(delivery, taskId);
}

/** How to answer stands first, where no long question can push it out. */
function questionText({ taskId, tool, value }: Delivery): string {
  const asked = `${value?.json ?? ''}${value?.cut ? '…' : ''}`;
  return (
    `Before it goes on, ${tool} asks what is listed below. What is for the user to decide, ask the ` +
    `user and wait for their reply; then answer with ${answerTool}: task_id "${taskId}", the key, and a value that fits the ` +
    `schema or {"action":"decline"}. Do not call ${tool} again. ${asked}`
  );
}

function statusOf({ kind, status, percent, received, expected }: Delivery): string {
  if (kind === 'progress') {
    return percent === undefined ? 'working' : `working ${Math.round(percent)}%`;
  }
  if (kind === 'question') return 'input_required';
  const count = received === undefined ? '' : ` ${received} of ${expected ?? 'several'}`;
  return kind === 'correction' ? `correction ${status}` : `${status}${count}`;
}
