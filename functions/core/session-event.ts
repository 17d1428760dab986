import type { CallId, TaskId } from './ids.ts';
import type { SessionStatus } from './session-status.ts';
import type { Input } from './session.ts';
import type { EndedStatus, ProgressNote } from './task.ts';
import type { Call, FinishReason, OpenCall, Reply, Trigger, Turn } from './turn.ts';

/** What a session's user is told, in the words of the wire. Nothing of it is stored: it derives from items. */
export type SessionEvent =
  | Told<'input', { readonly input_id: string; readonly text: string }>
  | Told<'turn', TurnTold>
  | Told<'call', { readonly call_id: CallId; readonly tool: string; readonly task_id?: TaskId }>
  | Told<'progress', ProgressTold>
  | Told<
      'task',
      { readonly task_id: TaskId; readonly call_id: CallId; readonly status: EndedStatus }
    >
  | Told<'status', { readonly status: SessionStatus }>;

interface Told<Name extends string, Data> {
  readonly event: Name;
  readonly data: Data;
}

interface TurnTold {
  readonly number: number;
  readonly trigger: Trigger;
  readonly text: string;
  readonly finish_reason: FinishReason;
  /** The user cut in, or the model gave no answer. */
  readonly cut?: Reply['cut'];
}

interface ProgressTold {
  readonly call_id: CallId;
  readonly task_id: TaskId;
  readonly sequence: number;
  readonly percent: number;
  readonly message?: string;
}

export const inputEvent = ({ inputId, text }: Input): SessionEvent => ({
  event: 'input',
  data: { input_id: inputId, text },
});

export const callEvent = ({ callId, tool, taskId }: Call): SessionEvent => ({
  event: 'call',
  data: { call_id: callId, tool, ...(taskId === undefined ? {} : { task_id: taskId }) },
});

export const statusEvent = (status: SessionStatus): SessionEvent => ({
  event: 'status',
  data: { status },
});

/** A turn is told when it has been replied to. */
export const turnEvent = (
  { number, intent }: Turn,
  { text, finishReason, cut }: Pick<Reply, 'text' | 'finishReason' | 'cut'>,
): SessionEvent => ({
  event: 'turn',
  data: {
    number,
    trigger: intent.trigger,
    text,
    finish_reason: finishReason,
    ...(cut === undefined ? {} : { cut }),
  },
});

export function progressEvent({ callId, taskId }: OpenCall, note: ProgressNote): SessionEvent {
  const { sequence, percent, message } = note;
  const data = { call_id: callId, task_id: taskId, sequence, percent };
  return { event: 'progress', data: message === '' ? data : { ...data, message } };
}

export const taskEvent = ({ callId, taskId }: OpenCall, status: EndedStatus): SessionEvent => ({
  event: 'task',
  data: { task_id: taskId, call_id: callId, status },
});
