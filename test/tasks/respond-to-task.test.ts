import { describe, expect, it } from 'vitest';
import { errorTextBytesMax, resultBytesMax } from '../../functions/core/limits.ts';
import { ok, refuse } from '../../functions/core/result.ts';
import { keyOf } from '../../functions/core/task.ts';
import { bytesOf } from '../../functions/core/text.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';
import { openHouse, resultOf } from './open-house.ts';

describe('a response with a result', () => {
  it('ends the task at once, and its message tells the session', async () => {
    const { house, ports, rings, handleAll, task, respond } = await openHouse();
    expect(await respond({ result: { a: 1 } })).toEqual(ok({ outcome: 'resolved' }));
    const ended = await house.task(task);
    expect(ended.state).toMatchObject({ status: 'completed', by: 'response' });
    expect(await resultOf(house, ended)).toEqual({ a: 1 });
    expect(rings).toEqual([]);
    await handleAll();
    expect(rings).toMatchObject([{ sessionId: 'sess_1', taskIds: [task.taskId] }]);
    expect(ports.work.size).toBe(0);
    expect(await house.task(task)).toEqual(ended);
  });

  it('said again is already resolved, whatever the order of its keys, and sends nothing', async () => {
    const { ports, handleAll, respond } = await openHouse();
    await respond({ result: { a: 1, b: 2 } });
    await handleAll();
    const again = await respond({ result: { b: 2, a: 1 } });
    expect(again).toEqual(ok({ outcome: 'already_resolved' }));
    expect(ports.work.size).toBe(0);
  });

  it.each([
    ['response', { reason: 'response_conflict', detail: expect.stringContaining('completed') }],
    ['callback', { reason: 'task_ended', status: 'completed' }],
  ] as const)('other than the first is refused to a %s', async (by, failure) => {
    const { ports, handleAll, respond } = await openHouse();
    await respond({ result: 1 });
    await handleAll();
    expect(await respond({ result: 2 }, by)).toEqual({ ok: false, failure });
    expect(await respond({ error: 'no' }, by)).toEqual({ ok: false, failure });
    expect(ports.work.size).toBe(0);
  });

  it('still ends the task when the write after the send failed', async () => {
    const { house, ports, rings, handleAll, task } = await openHouse();
    const record = () => Promise.reject(new Error('the table is away'));
    const broken = { ...ports, tasks: { ...ports.tasks, record } };
    await expect(respondToTask(broken, task, { result: 1 }, 'response')).rejects.toThrow('away');
    expect((await house.task(task)).state.status).toBe('working');
    await handleAll();
    expect((await house.task(task)).state).toMatchObject({ status: 'completed', by: 'response' });
    expect(rings).toHaveLength(1);
  });

  it('is resolved when its own message was faster', async () => {
    const { ports, task } = await openHouse();
    const twice = outrun(ports.tasks, (inner) => inner);
    const answer = await respondToTask({ ...ports, tasks: twice }, task, { result: 1 }, 'response');
    expect(answer).toEqual(ok({ outcome: 'resolved' }));
  });

  it('is refused when another end was faster', async () => {
    const { ports, task } = await openHouse();
    const other = outrun(ports.tasks, () => ({ kind: 'cancelled', atMs: 1 }));
    const answer = await respondToTask({ ...ports, tasks: other }, task, { result: 1 }, 'callback');
    expect(answer).toEqual(refuse({ reason: 'task_ended', status: 'cancelled' }));
  });

  it('of twenty at once wins once, and the others learn it', async () => {
    const { house, rings, handleAll, task, respond } = await openHouse();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => respond({ result: n }, n % 2 ? 'callback' : 'response')),
    );
    const won = answers.flatMap((answer, n) => (answer.ok ? [n] : []));
    expect(won).toHaveLength(1);
    const reasons = new Set(answers.flatMap((answer) => (answer.ok ? [] : answer.failure.reason)));
    expect([...reasons].toSorted()).toEqual(['response_conflict', 'task_ended']);
    await handleAll();
    const ended = await house.task(task);
    expect(ended.sequence).toBe(1);
    expect(await resultOf(house, ended)).toBe(won[0]);
    expect(new Set(rings.map(({ taskIds }) => taskIds[0]))).toEqual(new Set([task.taskId]));
  });

  it('of twenty equal ones at once is resolved by the first, and the others learn it', async () => {
    const { house, task, respond } = await openHouse();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => respond({ result: { same: true } })),
    );
    const outcomes = answers.map((answer) => answer.ok && answer.value.outcome);
    expect(outcomes.filter((outcome) => outcome === 'resolved')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'already_resolved')).toHaveLength(19);
    expect((await house.task(task)).sequence).toBe(1);
  });

  it('that the tool does not give is refused, and the task stays open', async () => {
    const flaws = [{ path: 'url', message: 'is missing' }];
    const { house, ports, task, respond } = await openHouse({
      checkResult: () => refuse({ reason: 'invalid_arguments', tool: 'slow', flaws }),
    });
    const refused = refuse({ reason: 'result_schema_mismatch', tool: 'slow', flaws });
    expect(await respond({ result: {} })).toEqual(refused);
    expect(await house.task(task)).toEqual(task);
    expect(ports.work.size).toBe(0);
    await cancelTask(ports, keyOf(task));
    expect(await respond({ result: {} }, 'callback')).toEqual(
      refuse({ reason: 'task_ended', status: 'cancelled' }),
    );
    expect((await house.task(task)).late).toBeUndefined();
  });

  it('that is too large is refused', async () => {
    const { respond } = await openHouse();
    const bytesMax = resultBytesMax;
    expect(await respond({ result: 'x'.repeat(bytesMax - 1) })).toEqual(
      refuse({ reason: 'body_too_large', bytesMax }),
    );
  });
});

describe('a response with an error', () => {
  it.each([
    ['it broke', 'it broke'],
    [{ message: 'it broke' }, 'it broke'],
    [{ code: 'E42', message: 'it broke' }, 'E42: it broke'],
  ])('%j fails the task with "%s"', async (error, message) => {
    const { house, task, respond } = await openHouse();
    expect(await respond({ error }, 'callback')).toEqual(ok({ outcome: 'resolved' }));
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      by: 'callback',
      error: { code: 'tool_failed', message },
    });
    expect(await respond({ error }, 'callback')).toEqual(ok({ outcome: 'already_resolved' }));
  });

  it('keeps no more of it than an error may have', async () => {
    const { house, task, respond } = await openHouse();
    await respond({ error: 'é'.repeat(errorTextBytesMax) });
    const { state } = await house.task(task);
    expect(state.status === 'failed' && bytesOf(state.error.message)).toBeLessThanOrEqual(
      errorTextBytesMax,
    );
  });
});

describe('a response with progress', () => {
  it('is recorded without a message, never goes down, and rings at the tool’s marks', async () => {
    const { house, ports, rings, task, respond } = await openHouse({ progressAt: [50, 75] });
    const reports = [{ percent: 10 }, { percent: 60, message: 'Half' }, { percent: 30 }, {}];
    for (const progress of reports) {
      expect(await respond({ progress })).toEqual(ok({ outcome: 'progressed' }));
    }
    expect(rings).toHaveLength(1);
    expect(await house.task(task)).toMatchObject({
      sequence: 4,
      progress: { percent: 60, message: 'Half' },
      recent: [{ percent: 10 }, { percent: 60 }, { percent: 60 }, { percent: 60 }],
    });
    expect(ports.work.size).toBe(0);
  });

  it('of twenty at once is taken from each, in some order', async () => {
    const { house, task, respond } = await openHouse();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => respond({ progress: { percent: n } })),
    );
    expect(answers.every((answer) => answer.ok)).toBe(true);
    const { sequence, progress, recent } = await house.task(task);
    expect({ sequence, percent: progress?.percent }).toEqual({ sequence: 20, percent: 19 });
    const percents = recent.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  });

  it('after the end is refused', async () => {
    const { respond } = await openHouse();
    await respond({ result: 1 });
    expect(await respond({ progress: { percent: 50 } })).toEqual(
      refuse({ reason: 'task_ended', status: 'completed' }),
    );
  });
});

describe('a result that comes too late', () => {
  it('is kept once beside the cancel, tells the session, and is refused all the same', async () => {
    const { house, ports, rings, handleAll, task, respond } = await openHouse();
    await cancelTask(ports, keyOf(task));
    await handleAll();
    rings.length = 0;
    const ended = await house.task(task);
    const refused = refuse({ reason: 'task_ended', status: 'cancelled' });
    expect(await respond({ result: 'late' }, 'callback')).toEqual(refused);
    const kept = await house.task(task);
    expect(kept).toEqual({
      ...ended,
      late: { digest: expect.any(String), value: expect.anything() },
    });
    expect(rings).toHaveLength(1);
    expect(await respond({ result: 'later' }, 'callback')).toEqual(refused);
    expect(await house.task(task)).toEqual(kept);
    expect(rings).toHaveLength(1);
    expect(await respond({ result: 'late' }, 'callback')).toEqual(refused);
    expect(rings).toHaveLength(2);
    const late = await ports.tasks.late(kept);
    expect(late && (await readValue(ports, late))).toBe('late');
  });

  it('is kept by its message when the timeout was faster than its write', async () => {
    const { house, ports, handleAll, task } = await openHouse();
    const error = { code: 'timed_out', message: 'late' } as const;
    const tasks = outrun(ports.tasks, () => ({ kind: 'failed', error, atMs: 1 }));
    const answer = await respondToTask({ ...ports, tasks }, task, { result: 7 }, 'callback');
    expect(answer).toMatchObject({ ok: false, failure: { reason: 'task_ended' } });
    await handleAll();
    const kept = await house.task(task);
    expect(kept).toMatchObject({ state: { status: 'failed' }, late: { value: { json: '7' } } });
  });

  it('is not kept after any other end', async () => {
    const { house, task, respond } = await openHouse();
    await respond({ error: 'no' });
    await respond({ result: 'but yes' });
    expect((await house.task(task)).late).toBeUndefined();
  });
});

it('a response ends a task that a worker is busy with, and its run is stopped', async () => {
  const house = memoryHouse({
    tools: [testTool({ run: (_input, { signal }) => house.clock.sleep(60_000, signal) })],
  });
  const task = await house.start();
  await house.runFor(1000);
  const answer = await respondToTask(
    house.ports,
    await house.task(task),
    { result: 1 },
    'response',
  );
  expect(answer.ok).toBe(true);
  await house.runFor(1000);
  expect(await house.task(task)).toMatchObject({ state: { by: 'response' }, late: undefined });
  expect(house.ports.work.size).toBe(0);
});

type Event = Parameters<TaskStore['record']>[2];

/** A store in which another end is recorded just before the one that is asked for. */
const outrun = (tasks: TaskStore, other: (event: Event) => Event): TaskStore => ({
  ...tasks,
  async record(key, writer, event) {
    await tasks.record(key, 'anyone', other(event));
    return tasks.record(key, writer, event);
  },
});
