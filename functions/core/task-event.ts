import { holds } from './claim.ts';
import type { StoredValue } from './stored-value.ts';
import {
  hasEnded,
  type Claim,
  type EndedBy,
  type EndedState,
  type ProgressNote,
  type Task,
  type TaskError,
} from './task.ts';

/** A fact about a task, in the past tense. Recording one gives it the task's next sequence number. */
export type TaskEvent = BuiltEvent | HandedOffEvent | AskedEvent | EndEvent;

/** What says how far a task is, so it is built on the task as it was read and holds only there. */
export type BuiltEvent = ProgressedEvent | YieldedEvent | AnsweredEvent;

export interface Built {
  /** The sequence number that was read. */
  readonly after: number;
  readonly atMs: number;
  /** A worker's own report is a sign of life, so it renews the claim in the same write. */
  readonly claimUntilMs?: number | undefined;
}

export interface ProgressedEvent extends Built {
  readonly kind: 'progressed';
  readonly percent: number;
  readonly message: string;
  /** The newest events with this one, oldest first. */
  readonly recent: readonly ProgressNote[];
}

/** One of several results, and not the last. */
interface YieldedEvent extends Built {
  readonly kind: 'yielded';
  readonly part: StoredValue;
}

/** Its run has ended without an end: it begins again when every question has its answer. */
interface AskedEvent {
  readonly kind: 'asked';
  readonly questions: readonly NamedQuestion[];
  readonly atMs: number;
}

export interface NamedQuestion {
  readonly name: string;
  readonly value: StoredValue;
}

/** One question has its answer; the names of those that still have none. */
export interface AnsweredEvent extends Built {
  readonly kind: 'answered';
  readonly asking: readonly string[];
}

/** Its start has run: what it set off goes on elsewhere. */
interface HandedOffEvent {
  readonly kind: 'handed_off';
  readonly initial: StoredValue | undefined;
  readonly atMs: number;
}

export type EndEvent = Brought &
  (
    | { readonly kind: 'completed'; readonly result: StoredValue }
    | FailedEvent
    | { readonly kind: 'cancelled' }
  );

interface Brought {
  readonly atMs: number;
  readonly by?: EndedBy | undefined;
  /** Names whoever brought it, so that an end whose answer was lost is known as one's own. */
  readonly token?: string | undefined;
}

interface FailedEvent {
  readonly kind: 'failed';
  readonly error: TaskError;
  /** Of a failure for silence: when it was last heard of. Any word since then makes it void. */
  readonly heardAtMs?: number | undefined;
}

/** Who may record: the holder of a claim, or anyone while the task is open (a cancel, a deadline). */
export type Writer = { readonly fence: number } | 'anyone';

export const mayRecord = (task: Task, writer: Writer): boolean =>
  writer === 'anyone' ? !hasEnded(task) : holds(task, writer.fence);

/**
 * Record one event, or nothing if the writer has no say any more. A task ends once: whoever comes
 * second is refused, whatever it brings.
 */
export function recordEvent(task: Task, writer: Writer, event: TaskEvent): Task | undefined {
  if (!mayRecord(task, writer)) return undefined;
  const next = { ...task, sequence: task.sequence + 1, updatedAtMs: event.atMs };
  const released = { ...task.claim, untilMs: 0 };
  switch (event.kind) {
    case 'progressed': {
      if (event.after !== task.sequence) return undefined;
      const { percent, message, recent } = event;
      return { ...next, progress: { percent, message }, recent, claim: renewed(task, event) };
    }
    case 'yielded':
      if (event.after !== task.sequence) return undefined;
      return { ...next, parts: task.parts + 1, claim: renewed(task, event) };
    case 'asked': {
      const asking = event.questions.map(({ name }) => name);
      const claim = { ...released, pauses: released.pauses + 1 };
      const asked = task.asked + asking.length;
      return { ...next, asking, asked, claim, state: { status: 'input_required' } };
    }
    case 'answered': {
      const { asking, after } = event;
      if (after !== task.sequence || task.state.status !== 'input_required') return undefined;
      return { ...next, asking, state: { status: statusWhile(asking) } };
    }
    case 'handed_off': {
      const { initial: value } = event;
      const initial = value && { digest: value.digest, value };
      return { ...next, handedOff: true, initial, claim: released };
    }
    case 'failed':
      if ((event.heardAtMs ?? task.updatedAtMs) !== task.updatedAtMs) return undefined;
      return { ...next, claim: endedClaim(released, event), state: endState(event) };
    case 'completed':
    case 'cancelled':
      return { ...next, claim: endedClaim(released, event), state: endState(event) };
  }
}

const endedClaim = (claim: Claim, { token = claim.token }: EndEvent): Claim => ({
  ...claim,
  token,
});

/** What an open task is while questions wait for their answers. */
export const statusWhile = (asking: readonly string[]) =>
  asking.length === 0 ? 'working' : 'input_required';

const renewed = ({ claim }: Task, { claimUntilMs }: Built): Claim =>
  claimUntilMs === undefined ? claim : { ...claim, untilMs: claimUntilMs };

export function endState(event: EndEvent): EndedState {
  const ended = { endedAtMs: event.atMs, by: event.by ?? 'worker' } as const;
  switch (event.kind) {
    case 'completed': {
      const { result } = event;
      return { status: 'completed', ...ended, resultDigest: result.digest, result };
    }
    case 'failed':
      return { status: 'failed', ...ended, error: event.error };
    case 'cancelled':
      return { status: 'cancelled', ...ended };
  }
}

/** Two ends are the same when status, result and error are; who brought them, and when, does not count. */
export function isSameEnd(a: EndedState, b: EndedState): boolean {
  if (a.status === 'completed') return a.status === b.status && a.resultDigest === b.resultDigest;
  if (a.status !== 'failed') return a.status === b.status;
  return (
    b.status === 'failed' && a.error.code === b.error.code && a.error.message === b.error.message
  );
}
