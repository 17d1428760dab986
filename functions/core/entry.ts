import type { CallId, TaskId } from './ids.ts';
import type { TaskError } from './task.ts';
import type { Call, Delivery, ShownValue, Trigger } from './turn.ts';

/** One line of the history, as the model is shown it. */
export type Entry = SystemEntry | UserEntry | EventEntry | AssistantEntry | ResponseEntry;

export interface SystemEntry {
  readonly role: 'system';
  readonly text: string;
  readonly atMs: number;
  /** Set where compaction left something out: how many entries stood here. */
  readonly leftOut?: number;
}

/** The user's own words. */
export interface UserEntry {
  readonly role: 'user';
  readonly text: string;
  readonly atMs: number;
  readonly trigger: Trigger;
}

/** News of a task, in the user's place because no provider has another for it. Its text is fenced. */
export interface EventEntry {
  readonly role: 'event';
  readonly text: string;
  readonly atMs: number;
  readonly trigger: Trigger;
  readonly callId: CallId;
  readonly sequence: number;
  readonly taskId?: TaskId;
  readonly kind?: Delivery['kind'];
  /** Set where this event closes its call: compaction puts it in the placeholder's place. */
  readonly end?: CallEnd;
}

/** How a call ended. */
export type CallEnd = Pick<ResponseEntry, 'status' | 'value' | 'error'>;

export interface AssistantEntry {
  readonly role: 'assistant';
  readonly text: string;
  readonly calls: readonly Call[];
  readonly parts?: unknown;
  readonly atMs: number;
}

/** The response to a call: its placeholder while it is pending, its result for good. */
export interface ResponseEntry {
  readonly role: 'tool';
  readonly callId: CallId;
  readonly tool: string;
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  readonly taskId?: TaskId;
  readonly initial?: ShownValue;
  readonly value?: ShownValue;
  readonly error?: TaskError;
  readonly atMs: number;
}
