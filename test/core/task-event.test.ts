import { describe, expect, it } from 'vitest';
import {
  nextPercent,
  recordEvent,
  type EndEvent,
  type TaskEvent,
} from '../../functions/core/task-event.ts';
import { endedTasks, openTask, taskWith } from './sample-task.ts';

const result = { at: 'near', digest: 'r', bytes: 1, json: '1' } as const;
const error = { code: 'tool_failed', message: 'no' } as const;
const progressed: TaskEvent = {
  kind: 'progressed',
  percent: 40,
  message: 'on it',
  atMs: 3000,
  claimUntilMs: 8000,
};
const ends: readonly EndEvent[] = [
  { kind: 'completed', result, atMs: 4000 },
  { kind: 'failed', error, atMs: 4000 },
  { kind: 'cancelled', atMs: 4000 },
];
const held = taskWith({ fence: 2, untilMs: 5000, token: 'mine' }, { sequence: 6 });

describe('recordEvent', () => {
  it('gives progress the next sequence number and renews the claim', () => {
    expect(recordEvent(held, { fence: 2 }, progressed)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 3000,
      progress: { percent: 40, message: 'on it' },
      claim: { ...held.claim, untilMs: 8000 },
    });
  });

  it.each([
    [ends[0], { status: 'completed', endedAtMs: 4000, resultDigest: 'r', result }],
    [ends[1], { status: 'failed', endedAtMs: 4000, error }],
    [ends[2], { status: 'cancelled', endedAtMs: 4000 }],
  ] as const)('ends a task by $kind and lets go of the claim', (event, state) => {
    expect(event && recordEvent(held, { fence: 2 }, event)).toEqual({
      ...held,
      sequence: 7,
      updatedAtMs: 4000,
      claim: { ...held.claim, untilMs: 0 },
      state,
    });
  });

  it.each([progressed, ...ends])('refuses $kind from an old fence', (event) => {
    expect(recordEvent(held, { fence: 1 }, event)).toBeUndefined();
  });

  it.each([progressed, ...ends])('refuses $kind from a claim that was let go', (event) => {
    const released = taskWith({ fence: 2, untilMs: 0 });
    expect(recordEvent(released, { fence: 2 }, event)).toBeUndefined();
  });

  it.each(ends)('takes $kind from anyone while the task is open', (event) => {
    expect(recordEvent(openTask, 'anyone', event)?.state.status).toBe(event.kind);
  });

  it.each(endedTasks)('changes nothing of a task that is $state.status', (task) => {
    const claimed = { ...task, claim: held.claim };
    for (const event of [progressed, ...ends]) {
      expect(recordEvent(claimed, 'anyone', event)).toBeUndefined();
      expect(recordEvent(claimed, { fence: 2 }, event)).toBeUndefined();
    }
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
