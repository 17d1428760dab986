import { describe, expect, it } from 'vitest';
import { crosses, nextPercent, progressOnto } from '../../functions/core/progress.ts';
import {
  endState,
  isSameEnd,
  recordEvent,
  type EndEvent,
  type TaskEvent,
} from '../../functions/core/task-event.ts';
import type { Task } from '../../functions/core/task.ts';
import { progressTextBytesMax } from '../../functions/core/limits.ts';
import { bytesOf } from '../../functions/core/text.ts';
import { endedTasks, openTask, taskWith } from './sample-task.ts';

const result = { at: 'near', digest: 'r', bytes: 1, json: '1' } as const;
const error = { code: 'tool_failed', message: 'no' } as const;
const held = taskWith({ fence: 2, untilMs: 5000, token: 'mine' }, { sequence: 6 });
const times = { atMs: 3000, claimUntilMs: 8000 };
const progressed = progressOnto(held, { percent: 40, message: 'on it' }, times);
const yielded: TaskEvent = { kind: 'yielded', part: result, after: 6, ...times };
const handedOff: TaskEvent = { kind: 'handed_off', initial: result, atMs: 3000 };
const ends: readonly EndEvent[] = [
  { kind: 'completed', result, atMs: 4000 },
  { kind: 'failed', error, atMs: 4000 },
  { kind: 'cancelled', atMs: 4000 },
];
const ended = { endedAtMs: 4000, by: 'worker' } as const;
const all: readonly TaskEvent[] = [progressed, yielded, handedOff, ...ends];

describe('recordEvent', () => {
  it('gives progress the next sequence number and renews the claim', () => {
    expect(recordEvent(held, { fence: 2 }, progressed)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 3000,
      progress: { percent: 40, message: 'on it' },
      recent: [{ sequence: 7, percent: 40, message: 'on it', atMs: 3000 }],
      claim: { ...held.claim, untilMs: 8000 },
    });
  });

  it('counts a result that is not the last and renews the claim', () => {
    expect(recordEvent(held, { fence: 2 }, yielded)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 3000,
      parts: 1,
      claim: { ...held.claim, untilMs: 8000 },
    });
  });

  it('lets go of a claim when the work is handed off, and keeps what the start gave', () => {
    expect(recordEvent(held, { fence: 2 }, handedOff)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 3000,
      handedOff: true,
      initial: { digest: 'r', value: result },
      claim: { ...held.claim, untilMs: 0 },
    });
  });

  it.each([progressed, yielded])('renews no claim by $kind of someone outside', (event) => {
    const { claimUntilMs: _renewal, ...outside } = event;
    expect(recordEvent(held, 'anyone', outside)?.claim).toEqual(held.claim);
  });

  it.each([progressed, yielded])('refuses $kind that was built on another event', (event) => {
    const later = { ...held, sequence: 7 };
    expect(recordEvent(later, { fence: 2 }, event)).toBeUndefined();
    expect(recordEvent(later, 'anyone', event)).toBeUndefined();
  });

  it.each([
    [ends[0], { status: 'completed', ...ended, resultDigest: 'r', result }],
    [ends[1], { status: 'failed', ...ended, error }],
    [ends[2], { status: 'cancelled', ...ended }],
  ] as const)('ends a task by $kind and lets go of the claim', (event, state) => {
    expect(event && recordEvent(held, { fence: 2 }, event)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 4000,
      claim: { ...held.claim, untilMs: 0 },
      state,
    });
  });

  it.each(all)('refuses $kind from an old fence', (event) => {
    expect(recordEvent(held, { fence: 1 }, event)).toBeUndefined();
  });

  it.each(all)('refuses $kind from a claim that was let go', (event) => {
    const released = taskWith({ fence: 2, untilMs: 0 }, { sequence: 6 });
    expect(recordEvent(released, { fence: 2 }, event)).toBeUndefined();
  });

  it('fails a task for its silence only if nothing was heard of it since', () => {
    const unheard = { kind: 'failed', error, atMs: 4000 } as const;
    const { updatedAtMs } = openTask;
    const since = { ...unheard, heardAtMs: updatedAtMs - 1 };
    expect(recordEvent(openTask, 'anyone', since)).toBeUndefined();
    const silent = recordEvent(openTask, 'anyone', { ...unheard, heardAtMs: updatedAtMs });
    expect(silent?.state.status).toBe('failed');
  });

  it.each(ends)('takes $kind from anyone while the task is open', (event) => {
    expect(recordEvent(openTask, 'anyone', event)?.state.status).toBe(event.kind);
  });

  it.each(endedTasks)('changes nothing of a task that is $state.status', (task) => {
    const claimed = { ...task, claim: held.claim };
    for (const event of all.map((one) => ({ ...one, after: claimed.sequence }))) {
      expect(recordEvent(claimed, 'anyone', event)).toBeUndefined();
      expect(recordEvent(claimed, { fence: 2 }, event)).toBeUndefined();
    }
  });
});

describe('isSameEnd', () => {
  const states = ends.map((event) => endState(event));

  it('asks only for status, result and error', () => {
    for (const [n, event] of ends.entries()) {
      const again = endState({ ...event, atMs: 9999, by: 'callback' });
      expect(states.map((state) => isSameEnd(state, again))).toEqual(
        states.map((_, index) => index === n),
      );
    }
  });

  it.each([
    [ends[0], { ...ends[0], result: { ...result, digest: 'other' } }],
    [ends[1], { ...ends[1], error: { ...error, message: 'other' } }],
    [ends[1], { ...ends[1], error: { ...error, code: 'lost' } }],
  ] as [EndEvent, EndEvent][])('tells %j from %j', (a, b) => {
    expect(isSameEnd(endState(a), endState(b))).toBe(false);
  });
});

describe('progressOnto', () => {
  it('remembers eight events, clips the text, and keeps what is left out', () => {
    let task: Task = openTask;
    for (let n = 1; n <= 10; n += 1) {
      const event = progressOnto(task, { percent: n, message: 'é'.repeat(90) }, { atMs: n });
      task = recordEvent(task, 'anyone', event) ?? task;
    }
    expect(task.recent.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(bytesOf(task.progress?.message ?? '')).toBeLessThanOrEqual(progressTextBytesMax);
    expect(progressOnto(task, {}, { atMs: 11 })).toMatchObject({ after: 10, ...task.progress });
    expect(progressOnto(task, { percent: 5 }, { atMs: 11 }).percent).toBe(10);
  });

  it.each([
    [0, 24, false],
    [0, 25, true],
    [24, 80, true],
    [25, 49, false],
    [75, 100, false],
  ])('crosses 25, 50 or 75 from %i to %i: %s', (from, to, expected) => {
    const at = (percent: number) => ({ ...openTask, progress: { percent, message: '' } });
    expect(crosses([25, 50, 75], at(from), at(to))).toBe(expected);
    expect(crosses([], at(from), at(to))).toBe(false);
  });
});

describe('nextPercent', () => {
  it.each([
    [0, 25, 25],
    [50, 25, 50],
    [50, 74.6, 75],
    [0, -5, 0],
    [0, 150, 100],
    [30, Number.NaN, 30],
    [30, Number.POSITIVE_INFINITY, 30],
  ])('from %d, a report of %d gives %d', (reached, percent, expected) => {
    expect(nextPercent(reached, percent)).toBe(expected);
  });
});
