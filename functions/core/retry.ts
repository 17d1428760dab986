import { createHash } from 'node:crypto';
import { FatalError, RetryAfterError } from './author-errors.ts';
import { backoffMsMax, errorTextBytesMax } from './limits.ts';
import { isOutage, outageText } from './outage.ts';
import { deathsOf, type Task, type TaskError } from './task.ts';
import { clipText } from './text.ts';

/** What a tool allows to be done again. */
export interface RetryRule {
  readonly retries: number;
  /** Running twice has the effect of running once. */
  readonly idempotent: boolean;
}

type NextAttempt =
  | { readonly kind: 'retry'; readonly afterMs: number; readonly why: 'failed' | 'paused' }
  | { readonly kind: 'fail'; readonly error: TaskError };

/**
 * Whether a claimed task may run at all. A worker that died mid-way may have had its effect: only a
 * tool that declares itself idempotent is run again, for any other the honest answer is "unknown".
 */
export function beforeRun(task: Task, rule: RetryRule): TaskError | undefined {
  const deaths = deathsOf(task);
  if (deaths === 0) return undefined;
  if (!rule.idempotent) {
    return {
      code: 'outcome_unknown',
      message: 'The worker died while the tool ran. It may or may not have had its effect.',
    };
  }
  if (deaths + task.claim.failures <= rule.retries) return undefined;
  return { code: 'lost', message: `The worker died in ${deaths} attempts; none is left.` };
}

export function afterThrow(task: Task, rule: RetryRule, thrown: unknown): NextAttempt {
  if (thrown instanceof RetryAfterError) {
    const afterMs = Number.isFinite(thrown.afterMs) ? Math.max(0, thrown.afterMs) : backoffMsMax;
    return { kind: 'retry', why: 'paused', afterMs };
  }
  const failuresSoFar = task.claim.failures + deathsOf(task);
  if (thrown instanceof FatalError || failuresSoFar >= rule.retries) {
    const message = isOutage(thrown) ? outageText : messageOf(thrown);
    return { kind: 'fail', error: { code: 'tool_failed', message } };
  }
  return { kind: 'retry', why: 'failed', afterMs: backoffMs(task, failuresSoFar) };
}

/** Doubles from one second, spread by up to a quarter so that a burst of failures does not return as one. */
export function backoffMs(task: Task, failuresSoFar: number): number {
  const base = Math.min(backoffMsMax, 1000 * 2 ** failuresSoFar);
  const chance = createHash('sha256').update(`${task.taskId}.${failuresSoFar}`).digest()[0] ?? 0;
  return Math.round(base * (1 + chance / 1024));
}

export function messageOf(thrown: unknown, bytesMax = errorTextBytesMax): string {
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return clipText(text, bytesMax);
}
