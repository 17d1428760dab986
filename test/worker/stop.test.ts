import { describe, expect, it } from 'vitest';
import { workerDeath } from '../../functions/core/author-errors.ts';
import { functionMarginMs, stopGraceMs } from '../../functions/core/limits.ts';
import { keyOf } from '../../functions/core/task.ts';
import type { TaskContext, Tool } from '../../functions/core/tool.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { memoryHouse, type HouseOptions } from '../house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

const houseWith = (tool: TestTool, options: HouseOptions = {}) =>
  memoryHouse({ ...options, tools: [testTool(tool)] });

/** A tool that never ends by itself, and what its signal said. */
function endless() {
  const contexts: TaskContext[] = [];
  const run: Tool['run'] = (_input, task) => {
    contexts.push(task);
    return new Promise(() => {});
  };
  const aborted = () => contexts.map(({ signal }) => signal.aborted);
  return { run, contexts, aborted };
}

const claimMs = 120_000;

describe('the deadline', () => {
  it('ends the task as timed out and aborts the signal', async () => {
    const { run, aborted } = endless();
    const house = houseWith({ run, deadlineMs: 10_000 });
    const task = await house.start();
    await house.runFor(9000);
    expect(aborted()).toEqual([false]);
    await house.runFor(1000 + stopGraceMs);
    expect(aborted()).toEqual([true]);
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
    });
    expect(house.ports.work.size).toBe(0);
    expect(house.clock.sleeping).toBe(0);
  });

  it('is kept even by a tool that returns when it is told to stop', async () => {
    const house = houseWith({
      deadlineMs: 10_000,
      run: (_input, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))),
    });
    const task = await house.start();
    await house.runFor(11_000);
    expect((await house.task(task)).state).toMatchObject({ error: { code: 'timed_out' } });
  });

  it('that has passed keeps the tool from running at all', async () => {
    const { run, contexts } = endless();
    const house = houseWith({ run, deadlineMs: 10_000 });
    const task = await house.start();
    await house.clock.advance(10_000);
    await house.pump();
    expect(contexts).toEqual([]);
    expect((await house.task(task)).state).toMatchObject({ error: { code: 'timed_out' } });
  });
});

describe('a cancel', () => {
  it('reaches the signal of the running tool at once', async () => {
    const { run, aborted } = endless();
    const house = houseWith({ run });
    const task = await house.start();
    await house.runFor(1000);
    await cancelTask(house.ports, keyOf(task));
    await house.clock.advance(0);
    expect(aborted()).toEqual([true]);
    await house.runFor(stopGraceMs);
    expect((await house.task(task)).state.status).toBe('cancelled');
    expect(house.ports.work.size).toBe(0);
    expect(house.clock.sleeping).toBe(0);
  });

  it('in another process reaches the signal when the claim is next renewed', async () => {
    const { run, aborted } = endless();
    const house = houseWith({ run });
    const task = await house.start();
    await house.runFor(1000);
    const elsewhere = { ...house.ports, signals: { ...house.ports.signals, raise: () => {} } };
    await cancelTask(elsewhere, keyOf(task));
    await house.clock.advance(0);
    expect(aborted()).toEqual([false]);
    await house.clock.advance(claimMs / 2);
    expect(aborted()).toEqual([true]);
  });

  it('in another process reaches a tool that reports progress', async () => {
    const house = houseWith({
      async run(_input, task) {
        await house.clock.sleep(5000);
        await task.progress(50);
        reached.push('after progress');
      },
    });
    const reached: string[] = [];
    const task = await house.start();
    await house.runFor(1000);
    await house.ports.tasks.record(task, 'anyone', {
      kind: 'cancelled',
      atMs: house.clock.nowMs(),
    });
    await house.runFor(5000);
    expect(reached).toEqual([]);
    expect(await house.task(task)).toMatchObject({ sequence: 1, state: { status: 'cancelled' } });
    expect(house.ports.work.size).toBe(0);
  });

  it('before the tool returns wins over its result', async () => {
    const house = houseWith({
      async run(_input, { signal }) {
        await house.clock.sleep(60_000, signal);
        return 'too late';
      },
    });
    const task = await house.start();
    await house.runFor(1000);
    await cancelTask(house.ports, keyOf(task));
    await house.runFor(1000);
    expect((await house.task(task)).state.status).toBe('cancelled');
  });
});

describe('near the end of its function a run', () => {
  const functionMs = 10 * 60_000;

  it('is suspended and goes on from its checkpoint', async () => {
    const states: unknown[] = [];
    const house = houseWith(
      {
        idempotent: false,
        async run(_input, task) {
          states.push(task.state);
          const done = typeof task.state === 'number' ? task.state : 0;
          for (let minute = done; minute < 25; minute += 1) {
            await house.clock.sleep(60_000, task.signal);
            task.signal.throwIfAborted();
            await task.checkpoint(minute + 1);
          }
          return 'all minutes';
        },
      },
      { functionMs },
    );
    const task = await house.start();
    await house.runFor(30 * 60_000);
    expect(states).toEqual([undefined, 9, 18]);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed' },
      claim: { fence: 3, pauses: 2, failures: 0 },
    });
  });

  it('is left behind when it does not stop in time', async () => {
    const { run, aborted } = endless();
    const house = houseWith({ run }, { functionMs });
    const task = await house.start();
    await house.runFor(functionMs - functionMarginMs + stopGraceMs);
    expect(aborted()).toEqual([true, false]);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'working' },
      claim: { fence: 2, pauses: 1 },
    });
  });

  it('completes when it returns within its grace', async () => {
    const house = houseWith(
      {
        async run(_input, { signal }) {
          await house.clock.sleep(functionMs, signal);
          await house.clock.sleep(stopGraceMs - 1000);
          return 'in time';
        },
      },
      { functionMs },
    );
    const task = await house.start();
    await house.runFor(functionMs);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed' },
      claim: { fence: 1 },
    });
  });
});

describe('a worker that dies', () => {
  /** Keeps a checkpoint, then takes its worker down as often as said. */
  const dying = (times: number): Tool['run'] =>
    async function run(_input, task) {
      if (task.attempt > times) return { from: task.state };
      await task.checkpoint({ attempt: task.attempt });
      throw workerDeath;
    };

  it('leaves an idempotent tool to be run again from its checkpoint within the claim', async () => {
    const house = houseWith({ run: dying(1) });
    const task = await house.start();
    await house.runFor(claimMs - 1000);
    expect(await house.task(task)).toMatchObject({ state: { status: 'working' } });
    expect(house.thrown).toHaveLength(1);
    await house.runFor(2000);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed', result: { json: '{"from":{"attempt":1}}' } },
      claim: { fence: 2, failures: 0, pauses: 0 },
    });
  });

  it('leaves the outcome of any other tool unknown, and the tool is not run again', async () => {
    let runs = 0;
    const house = houseWith({
      idempotent: false,
      run() {
        runs += 1;
        throw workerDeath;
      },
    });
    const task = await house.start();
    await house.runFor(claimMs + 2000);
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'outcome_unknown' },
    });
    expect(runs).toBe(1);
    expect(house.ports.work.size).toBe(0);
  });

  it('again and again makes the task lost once the retries are used up', async () => {
    const house = houseWith({ run: dying(100), retries: 2 });
    const task = await house.start();
    await house.runFor(4 * (claimMs + 2000));
    expect(house.thrown).toHaveLength(3);
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'lost' },
    });
  });
});
