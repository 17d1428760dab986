import type { CallId, Owner, SessionId, TaskId } from './ids.ts';
import { retentionMs } from './limits.ts';
import type { StoredValue } from './stored-value.ts';

/** MCP's own words, so that a stored status is also a wire status. */
export type TaskStatus = TaskState['status'];
export type EndedState = Extract<TaskState, { readonly endedAtMs: number }>;
export type EndedStatus = EndedState['status'];

/** One member per status: a result cannot exist on a task that has not completed. */
export type TaskState =
  | { readonly status: 'working' }
  | { readonly status: 'input_required' }
  | CompletedState
  | { readonly status: 'failed'; readonly endedAtMs: number; readonly error: TaskError }
  | { readonly status: 'cancelled'; readonly endedAtMs: number };

export interface CompletedState {
  readonly status: 'completed';
  readonly endedAtMs: number;
  readonly resultDigest: string;
  /** Here when it is small enough to ride in the hot item; otherwise one more read away. */
  readonly result: StoredValue | undefined;
}

export type TaskErrorCode = 'tool_failed' | 'timed_out' | 'outcome_unknown' | 'poison' | 'lost';

export interface TaskError {
  readonly code: TaskErrorCode;
  readonly message: string;
}

/** Who waits: a stored session, to be resumed, or a client, which polls. */
export type Caller =
  | { readonly kind: 'session'; readonly sessionId: SessionId; readonly callId: CallId }
  | { readonly kind: 'client'; readonly callId?: CallId };

export interface TaskKey {
  readonly owner: Owner;
  readonly taskId: TaskId;
}

/** Everything that is known of a task when it starts, and never changes. */
export interface TaskStart extends TaskKey {
  readonly tool: string;
  readonly caller: Caller;
  readonly arguments: StoredValue;
  readonly createdAtMs: number;
  readonly deadlineMs: number;
}

export interface Progress {
  readonly percent: number;
  readonly message: string;
}

/**
 * The hot part of a task, rewritten by every event. The values it was given and produced are cold:
 * here stand only their digests.
 */
export interface Task extends TaskKey {
  readonly tool: string;
  readonly caller: Caller;
  readonly argumentsDigest: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deadlineMs: number;
  /** Number of the last event; zero before the first. */
  readonly sequence: number;
  readonly progress: Progress | undefined;
  readonly claim: Claim;
  readonly state: TaskState;
}

/** An exclusive hold. The fence only grows, so a worker that lost its hold can write nothing more. */
export interface Claim {
  readonly fence: number;
  /** Zero when nobody holds the task; in the past when its worker died. */
  readonly untilMs: number;
  /** Names the attempt to claim, so that a claim whose answer was lost is recognised as one's own. */
  readonly token: string;
  /** Ends of a claim that were not deaths: a tool that threw, and a run that paused. */
  readonly failures: number;
  readonly pauses: number;
}

export const keyOf = ({ owner, taskId }: TaskKey): TaskKey => ({ owner, taskId });

export function newTask(start: TaskStart): Task {
  const { arguments: args, ...facts } = start;
  return {
    ...facts,
    argumentsDigest: args.digest,
    updatedAtMs: start.createdAtMs,
    sequence: 0,
    progress: undefined,
    claim: { fence: 0, untilMs: 0, token: '', failures: 0, pauses: 0 },
    state: { status: 'working' },
  };
}

export type EndedTask = Task & { readonly state: EndedState };

export const hasEnded = (task: Task): task is EndedTask => 'endedAtMs' in task.state;

/** DynamoDB deletes late, so what has expired is ignored by whoever reads it. */
export const hasExpired = (task: Task, nowMs: number) =>
  hasEnded(task) && task.state.endedAtMs + retentionMs <= nowMs;

/** Each claim is an attempt. */
export const attemptOf = (task: Task) => task.claim.fence;

/** Claims that ended without a word: the worker died, and what it did is not known. */
export const deathsOf = ({ claim }: Task) =>
  Math.max(0, claim.fence - 1 - claim.failures - claim.pauses);
