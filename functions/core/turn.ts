import type { CallId, TaskId } from './ids.ts';
import type { Input } from './session.ts';
import type { StoredValue } from './stored-value.ts';
import type { TaskError } from './task.ts';

/** Why a turn began. */
export type Trigger = 'user' | 'task' | 'timer' | 'response';

export type FinishReason = 'stop' | 'input_required' | 'tool_calls' | 'max_turns' | 'error';

/**
 * One model request and its reply. Its number is taken by whoever puts it first; the intent is durable
 * before the request is paid for, and the reply is added under the same fence.
 */
export interface Turn {
  readonly number: number;
  readonly claim: TurnClaim;
  readonly intent: Intent;
  readonly reply: Reply | undefined;
  /** Responses of this turn's quick calls, kept here when the session rests with others pending. */
  readonly quick: readonly QuickResponse[] | undefined;
}

/** Zero when nobody holds the turn. The fence only grows. */
export interface TurnClaim {
  readonly fence: number;
  readonly untilMs: number;
  readonly token: string;
}

/** The same turn as it is stored: its parts are values, near or far. */
export interface TurnRecord {
  readonly number: number;
  readonly claim: TurnClaim;
  readonly intent: StoredValue;
  readonly reply: StoredValue | undefined;
  readonly quick: StoredValue | undefined;
}

/** Everything a turn adds to the history before the model speaks. Rendering needs nothing else. */
export interface Intent {
  readonly trigger: Trigger;
  /** Who set it off: an input id, a call id. */
  readonly actor: string;
  readonly beganAtMs: number;
  /** Fences untrusted text; made once, so that a repeated request is the same to the letter. */
  readonly nonce: string;
  readonly inputs: readonly Input[];
  /** Number of the last input consumed up to here. */
  readonly inputsThrough: number;
  /** Responses to the quick calls of the turn before. */
  readonly quick: readonly QuickResponse[];
  /** Long-running calls of the turn before that are still open: the model now sees a placeholder. */
  readonly placeholders: readonly Placeholder[];
  readonly deliveries: readonly Delivery[];
  /** Calls of earlier turns that are open after this intent. */
  readonly open: readonly OpenCall[];
  /** Calls that ended by timeout or cancel: the real result may still come, once, as a correction. */
  readonly correctable: readonly OpenCall[];
  readonly arbitrations: readonly Arbitration[];
}

export interface QuickResponse {
  readonly callId: CallId;
  readonly status: 'completed' | 'failed';
  readonly value?: ShownValue;
  readonly error?: TaskError;
}

export interface Placeholder {
  readonly callId: CallId;
  readonly taskId: TaskId;
  /** What the tool's start gave back. */
  readonly initial?: ShownValue;
}

/** A value as the model sees it: whole, or its head. */
export interface ShownValue {
  readonly json: string;
  /** Size of the whole value. */
  readonly bytes: number;
  readonly cut: boolean;
}

/**
 * What a task brought. `bind`: the final result takes the place of a placeholder that was never sent.
 * `append`: an event at the tail. `replace`: the result goes back to the placeholder's place, and a
 * notice stands at the tail.
 */
export interface Delivery {
  readonly callId: CallId;
  readonly taskId: TaskId;
  readonly tool: string;
  readonly sequence: number;
  readonly kind: 'progress' | 'partial' | 'question' | 'end' | 'correction';
  readonly way: 'bind' | 'append' | 'replace';
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  readonly value?: ShownValue;
  readonly error?: TaskError;
  readonly percent?: number;
  readonly message?: string;
  /** Of a tool with several results: which one this is, and of how many. */
  readonly received?: number;
  readonly expected?: number;
}

/** A long-running call without its end. */
export interface OpenCall {
  readonly callId: CallId;
  readonly taskId: TaskId;
  readonly tool: string;
  /** The turn whose reply made the call, and the place of the call in it. */
  readonly turn: number;
  readonly index: number;
  /** Number of the last event of its task that a turn has consumed. */
  readonly consumed: number;
  /** How far the model was told it is, and how often. */
  readonly toldPercent: number;
  readonly tellings: number;
  /** Results that a turn has consumed so far. */
  readonly received: number;
  /** Questions of its task that a turn has told; none unless said. */
  readonly asked?: number;
}

/** The model's request to use a tool. */
export interface Call {
  /** The model's own id; made unique when a model repeats one. */
  readonly callId: CallId;
  readonly tool: string;
  readonly arguments: unknown;
  /** Set for a long-running call that was admitted. */
  readonly taskId?: TaskId;
  /** Why it is not carried out: unknown tool, wrong arguments, too many turns. */
  readonly refused?: TaskError;
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly Call[];
  /** The provider's own parts (thinking signatures and the like), sent back as they came. */
  readonly parts?: unknown;
  readonly model: string;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
  readonly atMs: number;
  /** Cut off by the user, or refused by the provider: nothing was said, or not all of it. */
  readonly cut?: 'interrupted' | 'merged' | 'refused';
  readonly detail?: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** Two entries raced for one turn. */
export interface Arbitration {
  readonly atMs: number;
  readonly winner: string;
  readonly loser: string;
  readonly gapMs: number;
  readonly rule: string;
}

export const callsOf = (turn: Turn | undefined): readonly Call[] => turn?.reply?.calls ?? [];
export const isLong = (call: Call): boolean => call.taskId !== undefined;
/** Carried out at once, its response in the next intent. */
export const isQuick = (call: Call): boolean => !isLong(call) && !call.refused;

/** Every call without an end after this turn, in call order. */
export function openCallsAfter(turn: Turn | undefined): readonly OpenCall[] {
  if (!turn) return [];
  const fresh = callsOf(turn).flatMap(({ callId, taskId, tool }, index) =>
    taskId === undefined ? [] : [newOpenCall({ callId, taskId, tool, turn: turn.number, index })],
  );
  return [...turn.intent.open, ...fresh];
}

const newOpenCall = (
  call: Pick<OpenCall, 'callId' | 'taskId' | 'tool' | 'turn' | 'index'>,
): OpenCall => ({ ...call, consumed: 0, toldPercent: 0, tellings: 0, received: 0 });
