import { describe, expect, it } from 'vitest';
import {
  claimTask,
  explainRefusedClaim,
  holds,
  releaseClaim,
  renewClaim,
  type ClaimRefusal,
  type ClaimRequest,
} from '../../functions/core/claim.ts';
import { keepLate } from '../../functions/core/late-result.ts';
import {
  attemptOf,
  deathsOf,
  hasExpired,
  moveDue,
  nextLookMs,
  timeUpAtMs,
  type Task,
} from '../../functions/core/task.ts';
import { retentionMs } from '../../functions/core/limits.ts';
import { endedTasks, openTask, sampleStart, taskWith } from './sample-task.ts';

const request: ClaimRequest = { start: sampleStart, token: 'mine', nowMs: 5000, untilMs: 9000 };
const foreign: ClaimRequest = {
  ...request,
  start: { ...sampleStart, arguments: { ...sampleStart.arguments, digest: 'other' } },
};

describe('claimTask', () => {
  it('brings a task into being from its start', () => {
    expect(claimTask(undefined, request)).toEqual({
      ...openTask,
      updatedAtMs: 5000,
      claim: { fence: 1, untilMs: 9000, token: 'mine', failures: 0, pauses: 0 },
    });
  });

  it.each([
    ['free', { fence: 3, untilMs: 0, token: 'old' }],
    ['held by a worker that died', { fence: 3, untilMs: 4999, token: 'old' }],
    ['held until this very moment', { fence: 3, untilMs: 5000, token: 'old' }],
  ])('takes a task that is %s and raises the fence', (_name, claim) => {
    const claimed = claimTask(taskWith({ ...claim, failures: 1, pauses: 1 }), request);
    expect(claimed?.claim).toEqual({
      fence: 4,
      untilMs: 9000,
      token: 'mine',
      failures: 1,
      pauses: 1,
    });
  });

  it('refuses a task whose worker may be alive', () => {
    expect(claimTask(taskWith({ fence: 1, untilMs: 5001 }), request)).toBeUndefined();
  });

  it('refuses a message whose arguments are not the task’s', () => {
    expect(claimTask(openTask, foreign)).toBeUndefined();
  });

  it('refuses a task whose work was handed off', () => {
    expect(claimTask({ ...openTask, handedOff: true }, request)).toBeUndefined();
  });

  it.each(endedTasks)('refuses a task that is $state.status', (task) => {
    expect(claimTask(task, request)).toBeUndefined();
  });
});

describe('explainRefusedClaim', () => {
  it.each<[ClaimRefusal, Task | undefined, ClaimRequest]>([
    ['held', undefined, request],
    ['held', taskWith({ fence: 1, untilMs: 8000, token: 'other' }), request],
    ['mine', taskWith({ fence: 1, untilMs: 9000, token: 'mine' }), request],
    ['foreign', openTask, foreign],
    ['handed off', taskWith({ fence: 1, token: 'mine' }, { handedOff: true }), request],
  ])('says %s (case %#)', (expected, found, asked) => {
    expect(explainRefusedClaim(found, asked)).toBe(expected);
  });

  it.each(endedTasks)(
    'says that the task is $state.status, unless the message is foreign',
    (task) => {
      expect(explainRefusedClaim(task, request)).toBe('ended');
      expect(explainRefusedClaim(task, foreign)).toBe('foreign');
    },
  );
});

describe('a claim', () => {
  const held = taskWith({ fence: 2, untilMs: 9000, token: 'mine' });

  it('is renewed by its fence only', () => {
    expect(renewClaim(held, 2, 12_000)?.claim.untilMs).toBe(12_000);
    expect(renewClaim(held, 1, 12_000)).toBeUndefined();
    expect(renewClaim(held, 3, 12_000)).toBeUndefined();
  });

  it.each([
    ['failed', { failures: 1, pauses: 0 }],
    ['paused', { failures: 0, pauses: 1 }],
  ] as const)('counts a release because the run %s', (why, counts) => {
    const released = releaseClaim(held, 2, { why, atMs: 7000 });
    expect(released?.claim).toMatchObject({ fence: 2, untilMs: 0, ...counts });
    expect(released?.updatedAtMs).toBe(7000);
  });

  it('cannot be released by an old fence, nor twice', () => {
    expect(releaseClaim(held, 1, { why: 'failed', atMs: 7000 })).toBeUndefined();
    const released = releaseClaim(held, 2, { why: 'failed', atMs: 7000 });
    expect(released && releaseClaim(released, 2, { why: 'failed', atMs: 7001 })).toBeUndefined();
  });

  it('still holds when its time has run out and nobody came', () => {
    expect(holds(taskWith({ fence: 2, untilMs: 1 }), 2)).toBe(true);
  });

  it.each(endedTasks)('holds nothing once the task is $state.status', (task) => {
    expect(holds({ ...task, claim: held.claim }, 2)).toBe(false);
  });
});

describe('a task', () => {
  it.each([
    [{ fence: 0 }, 0],
    [{ fence: 1 }, 0],
    [{ fence: 2 }, 1],
    [{ fence: 4, failures: 1, pauses: 2 }, 0],
    [{ fence: 5, failures: 1, pauses: 2 }, 1],
    [{ fence: 1, failures: 1 }, 0],
  ])('with claim %j counts %i deaths', (claim, deaths) => {
    expect(deathsOf(taskWith(claim))).toBe(deaths);
  });

  it('counts an attempt per claim', () => {
    expect(attemptOf(taskWith({ fence: 3 }))).toBe(3);
  });

  it.each(endedTasks)('that is $state.status expires after its retention', (task) => {
    expect(hasExpired(task, 2000 + retentionMs - 1)).toBe(false);
    expect(hasExpired(task, 2000 + retentionMs)).toBe(true);
  });

  it('never expires while it is open', () => {
    expect(hasExpired(openTask, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it.each([
    [undefined, true, 60_000],
    [500, true, 3500],
    [500, false, 60_000],
    [100_000, true, 60_000],
  ])('with a silence of %j, handed off: %s, is overdue at %i', (silenceMs, handedOff, atMs) => {
    const task = { ...openTask, silenceMs, handedOff, updatedAtMs: 3000 };
    expect(timeUpAtMs(task)).toBe(atMs);
  });

  it('is looked at once in every silence that may begin', () => {
    const waiting = { ...openTask, silenceMs: 500, updatedAtMs: 3000 };
    expect(nextLookMs(waiting, 7000)).toBe(7500);
    expect(nextLookMs({ ...waiting, handedOff: true }, 7000)).toBe(3500);
    expect(nextLookMs(openTask, 7000)).toBe(60_000);
    expect(nextLookMs(waiting, 59_900)).toBe(60_000);
  });

  it('is looked at later, never earlier, and not once it has ended', () => {
    expect(moveDue(openTask, openTask.dueMs + 1)?.dueMs).toBe(openTask.dueMs + 1);
    expect(moveDue(openTask, openTask.dueMs)).toBeUndefined();
    for (const task of endedTasks) expect(moveDue(task, 1e9)).toBeUndefined();
  });

  const value = { at: 'near', digest: 'late', bytes: 1, json: '1' } as const;
  const error = { code: 'timed_out', message: 'late' } as const;
  const timedOut: Task = {
    ...openTask,
    state: { status: 'failed', endedAtMs: 2000, by: 'worker', error },
  };

  it('keeps one late result, and only if it was cut short', () => {
    const [completed, lost, cancelled] = endedTasks;
    for (const task of [openTask, completed, lost]) {
      expect(task && keepLate(task, value)).toBeUndefined();
    }
    for (const task of [cancelled, timedOut]) {
      const kept = task && keepLate(task, value);
      expect(kept).toEqual({ ...task, late: { digest: 'late', value } });
      expect(kept && keepLate(kept, value)).toBeUndefined();
    }
  });
});
