import type { CallEnd, ResponseEntry } from './entry.ts';
import type { TaskId } from './ids.ts';
import { bytesOf } from './text.ts';
import type { TaskError } from './task.ts';
import type { ShownValue } from './turn.ts';
import { cleanText } from './untrusted-text.ts';

/** The tool that reads on where the head of a value ends. */
export const readResultTool = 'read_result';

const cancelledText = 'this tool call was cancelled';

/** What the model reads as the response to its call. */
export function responseText(entry: ResponseEntry): string {
  const { status, taskId, initial, value, error } = entry;
  switch (status) {
    case 'working':
      return placeholderText(taskId, initial);
    case 'completed':
      return valueText(value, taskId);
    case 'failed':
      return JSON.stringify({ status, error: cleanError(error) });
    case 'cancelled':
      return JSON.stringify({ status, message: cancelledText });
  }
}

/** How a call ended, for an event whose tag already tells the status. */
export function endText({ status, value, error }: CallEnd, taskId: TaskId): string {
  if (status === 'cancelled') return cancelledText;
  if (status !== 'failed') return valueText(value, taskId);
  const { code, message } = cleanError(error);
  return `${code}: ${message}`;
}

function placeholderText(taskId: TaskId | undefined, initial: ShownValue | undefined): string {
  const head = JSON.stringify({ status: 'working', task_id: taskId });
  if (!initial) return head;
  // Only a whole value is JSON; the head of one is a text like any other.
  const json = initial.cut ? JSON.stringify(`${initial.json}…`) : initial.json;
  return `${head.slice(0, -1)},"initial":${cleanText(json)}}`;
}

/** A value as JSON; of a long one the head, and how to read on. */
export function valueText(
  value: ShownValue | undefined,
  taskId: TaskId | undefined,
  part?: number,
): string {
  if (!value) return 'null';
  const json = cleanText(value.json);
  return value.cut ? `${json}\n${readOn(value, taskId, part)}` : json;
}

function readOn({ json, bytes }: ShownValue, taskId: TaskId | undefined, part?: number): string {
  const shown = bytesOf(json);
  if (taskId === undefined) return `[The first ${shown} of ${bytes} bytes; the rest is left out.]`;
  const rest = `${readResultTool} with task_id "${taskId}"${part ? `, part ${part}` : ''} and offset ${shown}`;
  return `[The first ${shown} of ${bytes} bytes. For the rest use ${rest}.]`;
}

/** An error without words is refused by some providers. */
export function cleanError(error: TaskError | undefined): TaskError {
  const message = cleanText(error?.message ?? '').trim();
  return { code: error?.code ?? 'tool_failed', message: message || 'The tool failed.' };
}
