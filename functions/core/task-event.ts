import { holds } from './claim.ts';
import type { StoredValue } from './stored-value.ts';
import { hasEnded, type Task, type TaskError, type TaskState } from './task.ts';

/** A fact about a task, in the past tense. Recording one gives it the task's next sequence number. */
export type TaskEvent = ProgressedEvent | EndEvent;

export interface ProgressedEvent {
  readonly kind: 'progressed';
  readonly percent: number;
  readonly message: string;
  readonly atMs: number;
  /** Progress is a sign of life, so it renews the claim in the same write. */
  readonly claimUntilMs: number;
}

export type EndEvent =
  | { readonly kind: 'completed'; readonly result: StoredValue; readonly atMs: number }
  | { readonly kind: 'failed'; readonly error: TaskError; readonly atMs: number }
  | { readonly kind: 'cancelled'; readonly atMs: number };

/** Who may record: the holder of a claim, or anyone while the task is open (a cancel, a deadline). */
export type Writer = { readonly fence: number } | 'anyone';

/**
 * Record one event, or nothing if the writer has no say any more. A task ends once: whoever comes
 * second is refused, whatever it brings.
 */
export function recordEvent(task: Task, writer: Writer, event: TaskEvent): Task | undefined {
  if (hasEnded(task)) return undefined;
  if (writer !== 'anyone' && !holds(task, writer.fence)) return undefined;
  const next = { ...task, sequence: task.sequence + 1, updatedAtMs: event.atMs };
  if (event.kind === 'progressed') {
    const { message, claimUntilMs } = event;
    return {
      ...next,
      progress: { percent: event.percent, message },
      claim: { ...task.claim, untilMs: claimUntilMs },
    };
  }
  return { ...next, claim: { ...task.claim, untilMs: 0 }, state: endState(event) };
}

export function endState(event: EndEvent): TaskState {
  switch (event.kind) {
    case 'completed':
      return {
        status: 'completed',
        endedAtMs: event.atMs,
        resultDigest: event.result.digest,
        result: event.result,
      };
    case 'failed':
      return { status: 'failed', endedAtMs: event.atMs, error: event.error };
    case 'cancelled':
      return { status: 'cancelled', endedAtMs: event.atMs };
  }
}

/** Progress never goes down, not even when a run begins again from the top. */
export function nextPercent(reached: number, percent: number): number {
  const wanted = Number.isFinite(percent) ? Math.round(percent) : reached;
  return Math.max(reached, Math.min(100, Math.max(0, wanted)));
}
