import type { CallId, Owner, SessionId, TaskId } from './ids.ts';
import { checkWaitMsMax, retentionMs } from './limits.ts';
import type { KeptValue, StoredValue } from './stored-value.ts';

/** MCP's own words, so that a stored status is also a wire status. */
export type TaskStatus = TaskState['status'];
export type EndedState = Extract<TaskState, { readonly endedAtMs: number }>;
export type EndedStatus = EndedState['status'];

/** One member per status: a result cannot exist on a task that has not completed. */
export type TaskState =
  | { readonly status: 'working' }
  | { readonly status: 'input_required' }
  | CompletedState
  | (Ended & { readonly status: 'failed'; readonly error: TaskError })
  | (Ended & { readonly status: 'cancelled' });

interface Ended {
  readonly endedAtMs: number;
  readonly by: EndedBy;
}

/** Who brought the end: the house itself, or someone outside by a response or a callback. */
export type EndedBy = 'worker' | 'response' | 'callback';

interface CompletedState extends Ended {
  readonly status: 'completed';
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
  /** How many results it gives at most; one unless said. */
  readonly resultsMax?: number | undefined;
  /** How long it may say nothing; until its deadline unless said. */
  readonly silenceMs?: number | undefined;
  /** After how long whoever does its work is first asked; never unless said. */
  readonly checkMs?: number | undefined;
  /** The receiver that its start named, by id: a URL may be longer than the whole item. */
  readonly webhookId?: string | undefined;
  /** Put for a call that waits for a slot, so that it can end before it begins: no message has gone out. */
  readonly unsent?: true | undefined;
}

export interface Progress {
  readonly percent: number;
  readonly message: string;
}

/** One progress event as it is remembered. */
export interface ProgressNote extends Progress {
  readonly sequence: number;
  readonly atMs: number;
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
  readonly silenceMs: number | undefined;
  readonly checkMs: number | undefined;
  /** When the sweep looks: never later than its time is up, often earlier. */
  readonly dueMs: number;
  /** Number of the last event; zero before the first. */
  readonly sequence: number;
  readonly progress: Progress | undefined;
  /** The newest progress events, oldest first; the texts of older ones may be cut. */
  readonly recent: readonly ProgressNote[];
  /** Results before the last one: how many there are, and of how many results in all. */
  readonly parts: number;
  readonly resultsMax: number;
  readonly webhookId?: string | undefined;
  readonly unsent?: true | undefined;
  /** Its work goes on elsewhere and its end comes from outside: nobody here runs it again. */
  readonly handedOff: boolean;
  /** What its start gave back when it was handed off. */
  readonly initial: KeptValue | undefined;
  /** Names of the questions that wait for an answer, and how many were ever asked. */
  readonly asking: readonly string[];
  readonly asked: number;
  readonly claim: Claim;
  readonly state: TaskState;
  /** The real result, when it came after a timeout or a cancel. The end stays what it was. */
  readonly late: KeptValue | undefined;
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
  const { arguments: args, resultsMax = 1, silenceMs, checkMs, ...facts } = start;
  const times = { ...start, silenceMs, checkMs, updatedAtMs: start.createdAtMs };
  return {
    ...facts,
    argumentsDigest: args.digest,
    updatedAtMs: start.createdAtMs,
    silenceMs,
    checkMs,
    dueMs: nextLookMs(times, start.createdAtMs),
    sequence: 0,
    progress: undefined,
    recent: [],
    parts: 0,
    resultsMax,
    handedOff: false,
    initial: undefined,
    asking: [],
    asked: 0,
    claim: { fence: 0, untilMs: 0, token: '', failures: 0, pauses: 0 },
    state: { status: 'working' },
    late: undefined,
  };
}

/** When an open task fails: at its deadline or, once its work goes on elsewhere, after too long a silence. */
export function timeUpAtMs(task: Watched): number {
  const { deadlineMs, silenceMs = Infinity, updatedAtMs, handedOff } = task;
  return handedOff ? Math.min(deadlineMs, updatedAtMs + silenceMs) : deadlineMs;
}

/**
 * When the sweep looks next: when its time is up, at least once in every silence that may begin, and
 * where its tool knows whom to ask, after a while that grows with its age.
 */
export function nextLookMs(task: Watched & Pick<Task, 'createdAtMs'>, nowMs: number): number {
  const { silenceMs = Infinity, handedOff, checkMs = Infinity, createdAtMs } = task;
  const silenceAtMs = handedOff ? Infinity : nowMs + silenceMs;
  const waitMs = Math.max(checkMs, Math.min(checkWaitMsMax, nowMs - createdAtMs));
  return Math.min(timeUpAtMs(task), silenceAtMs, nowMs + waitMs);
}

type Watched = Pick<Task, 'deadlineMs' | 'silenceMs' | 'checkMs' | 'updatedAtMs'> &
  Partial<Pick<Task, 'handedOff'>>;

/** Let the sweep look later. Refused when it would look earlier: nothing may fall out of its sight. */
export function moveDue(task: Task, dueMs: number): Task | undefined {
  return hasEnded(task) || dueMs <= task.dueMs ? undefined : { ...task, dueMs };
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
