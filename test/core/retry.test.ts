import { describe, expect, it } from 'vitest';
import { FatalError, RetryAfterError } from '../../functions/core/author-errors.ts';
import { backoffMsMax, errorTextBytesMax } from '../../functions/core/limits.ts';
import { asTaskId } from '../../functions/core/ids.ts';
import { afterThrow, backoffMs, beforeRun, messageOf } from '../../functions/core/retry.ts';
import { bytesOf } from '../../functions/core/text.ts';
import { openTask, taskWith } from './sample-task.ts';

const idempotent = { retries: 3, idempotent: true };
const onceOnly = { retries: 3, idempotent: false };

describe('beforeRun', () => {
  it.each([
    ['a first attempt', { fence: 1 }, onceOnly, undefined],
    ['an attempt after failures', { fence: 3, failures: 2 }, onceOnly, undefined],
    ['an attempt after pauses', { fence: 9, pauses: 8 }, onceOnly, undefined],
    ['a tool that may not run twice, after a death', { fence: 2 }, onceOnly, 'outcome_unknown'],
    ['an idempotent tool after a death', { fence: 2 }, idempotent, undefined],
    ['an idempotent tool after as many deaths as retries', { fence: 4 }, idempotent, undefined],
    ['an idempotent tool after one death more', { fence: 5 }, idempotent, 'lost'],
    ['deaths and failures together', { fence: 4, failures: 1 }, idempotent, undefined],
    ['one more of either', { fence: 5, failures: 1 }, idempotent, 'lost'],
  ])('judges %s', (_name, claim, rule, code) => {
    expect(beforeRun(taskWith(claim), rule)?.code).toBe(code);
  });
});

describe('afterThrow', () => {
  const attempt = (failures: number, deaths = 0) =>
    taskWith({ fence: failures + deaths + 1, failures });

  it('tries again while retries are left', () => {
    for (const failures of [0, 1, 2]) {
      const task = attempt(failures);
      expect(afterThrow(task, idempotent, new Error('no'))).toEqual({
        kind: 'retry',
        why: 'failed',
        afterMs: backoffMs(task, failures),
      });
    }
  });

  it.each([
    ['no retry is left', attempt(3), new Error('no')],
    ['deaths have used up the retries', attempt(1, 2), new Error('no')],
    ['the tool says stop', attempt(0), new FatalError('no')],
  ])('fails when %s', (_name, task, thrown) => {
    expect(afterThrow(task, idempotent, thrown)).toEqual({
      kind: 'fail',
      error: { code: 'tool_failed', message: 'no' },
    });
  });

  it.each([
    [1500, 1500],
    [-5, 0],
    [Number.POSITIVE_INFINITY, backoffMsMax],
    [Number.NaN, backoffMsMax],
  ])('pauses for %d ms as %d, even when no retry is left', (asked, afterMs) => {
    expect(afterThrow(attempt(3), idempotent, new RetryAfterError(asked))).toEqual({
      kind: 'retry',
      why: 'paused',
      afterMs,
    });
  });
});

describe('backoffMs', () => {
  it.each([
    [0, 1000],
    [1, 2000],
    [4, 16_000],
    [8, 256_000],
    [9, backoffMsMax],
    [500, backoffMsMax],
  ])('after %i failures is %i and at most a quarter more', (failures, base) => {
    const ms = backoffMs(openTask, failures);
    expect(ms).toBeGreaterThanOrEqual(base);
    expect(ms).toBeLessThanOrEqual(base * 1.25);
    expect(backoffMs(openTask, failures)).toBe(ms);
  });

  it('spreads the tasks of one burst', () => {
    const burst = Array.from({ length: 50 }, (_, n) => asTaskId(`task_${n}`));
    const delays = burst.map((taskId) => backoffMs({ ...openTask, taskId }, 3));
    expect(new Set(delays).size).toBeGreaterThan(20);
  });
});

describe('messageOf', () => {
  it.each([
    [new Error('it broke'), 'it broke'],
    [new TypeError(''), 'TypeError'],
    ['a string', 'a string'],
    [undefined, 'undefined'],
  ])('tells %s as "%s"', (thrown, text) => {
    expect(messageOf(thrown)).toBe(text);
  });

  it('is clipped', () => {
    expect(bytesOf(messageOf(new Error('x'.repeat(errorTextBytesMax + 1))))).toBe(
      errorTextBytesMax,
    );
  });
});
