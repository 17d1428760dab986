import { describe, expect, it } from 'vitest';
import { FatalError, RetryAfterError } from '../../functions/core/author-errors.ts';
import {
  checkpointBytesMax,
  progressTextBytesMax,
  resultBytesMax,
} from '../../functions/core/limits.ts';
import { refuse } from '../../functions/core/result.ts';
import { messageOf } from '../../functions/core/retry.ts';
import type { Progress } from '../../functions/core/task.ts';
import type { TaskContext } from '../../functions/core/tool.ts';
import { bytesOf } from '../../functions/core/text.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { alice, memoryHouse } from '../house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

const houseWith = (tool: TestTool) => memoryHouse({ tools: [testTool(tool)] });

describe('a tool that returns', () => {
  it('completes its task with its result, and the message is gone', async () => {
    const house = houseWith({ run: async (input) => ({ got: input }) });
    const task = await house.start({ arguments: { n: 1 } });
    await house.pump();
    const ended = await house.task(task);
    expect(ended.state).toMatchObject({ status: 'completed', endedAtMs: house.clock.nowMs() });
    expect(await readValue(house.ports, await house.ports.tasks.result(ended))).toEqual({
      got: { n: 1 },
    });
    expect(house.verdicts).toEqual(['done']);
    expect(house.ports.work.size).toBe(0);
    expect(house.clock.sleeping).toBe(0);
  });

  it('runs once although every message comes twice', async () => {
    let runs = 0;
    const tools = [testTool({ run: async () => (runs += 1) })];
    const house = memoryHouse({ tools, deliverTwice: true });
    const task = await house.start();
    await house.pump();
    expect(runs).toBe(1);
    expect(house.verdicts).toEqual(['done', 'done']);
    expect((await house.task(task)).sequence).toBe(1);
  });

  it('is given its owner, its attempt and a key that stays the same', async () => {
    const seen: Pick<TaskContext, 'owner' | 'attempt' | 'idempotencyKey' | 'state'>[] = [];
    const house = houseWith({
      async run(_input, { owner, attempt, idempotencyKey, state }) {
        seen.push({ owner, attempt, idempotencyKey, state });
        if (attempt === 1) throw new Error('once more');
      },
    });
    const { taskId } = await house.start();
    await house.runFor(5000);
    expect(seen).toEqual([
      { owner: alice, attempt: 1, idempotencyKey: taskId, state: undefined },
      { owner: alice, attempt: 2, idempotencyKey: taskId, state: undefined },
    ]);
  });

  it('is run with what its own check made of the arguments', async () => {
    const inputs: unknown[] = [];
    const house = houseWith({
      checkInput: () => ({ ok: true, value: { n: 1, filled: 'in' } }),
      run: async (input) => void inputs.push(input),
    });
    await house.start({ arguments: { n: 1 } });
    await house.pump();
    expect(inputs).toEqual([{ n: 1, filled: 'in' }]);
  });

  it.each([
    [
      'does not match the schema',
      { n: 1 },
      "The result does not match the tool's output schema: n: is not text",
    ],
    ['is too large', 'x'.repeat(resultBytesMax), `at most ${resultBytesMax} are kept`],
    ['is not JSON', { n: 1n }, 'The result is not JSON'],
  ])('fails when its result %s', async (_name, result, message) => {
    const flaws = [{ path: 'n', message: 'is not text' }];
    const house = houseWith({
      checkResult: () => refuse({ reason: 'invalid_arguments', tool: 'slow', flaws }),
      run: async () => result,
    });
    const task = await house.start();
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: expect.stringContaining(message) },
    });
    expect((await house.task(task)).claim.fence).toBe(1);
  });
});

describe('progress', () => {
  it('never goes down, not within a run and not in the next', async () => {
    const { tasks, seen } = recordingProgress();
    const house = memoryHouse({
      wrapTasks: tasks,
      tools: [
        testTool({
          async run(_input, task) {
            for (const percent of [30, 20, 60]) await task.progress(percent);
            if (task.attempt === 1) throw new Error('once more');
          },
        }),
      ],
    });
    await house.start();
    await house.runFor(5000);
    expect(seen.map(({ percent }) => percent)).toEqual([30, 30, 60, 60, 60, 60]);
  });

  it('is clipped, numbered, and renews the claim', async () => {
    const { tasks, seen } = recordingProgress();
    const house = memoryHouse({
      wrapTasks: tasks,
      tools: [
        testTool({
          async run(_input, task) {
            await house.clock.sleep(10_000);
            await task.progress(50, 'é'.repeat(progressTextBytesMax));
            await house.clock.sleep(10_000);
          },
        }),
      ],
    });
    const task = await house.start();
    await house.runFor(15_000);
    const { sequence, claim } = await house.task(task);
    expect(sequence).toBe(1);
    expect(claim.untilMs).toBe(house.clock.nowMs() - 5000 + house.ports.settings.claimMs);
    expect(bytesOf(seen[0]?.message ?? '')).toBeLessThanOrEqual(progressTextBytesMax);
  });

  it('after the end is refused', async () => {
    let late: Promise<void> | undefined;
    const house = houseWith({
      async run(_input, task) {
        late = house.clock.sleep(1000).then(() => task.progress(50));
      },
    });
    const task = await house.start();
    await house.pump();
    const ended = await house.task(task);
    const [refused] = await Promise.all([late?.catch(messageOf), house.clock.advance(1000)]);
    expect(refused).toContain('This run is over');
    expect(await house.task(task)).toEqual(ended);
  });
});

describe('a tool that throws', () => {
  it('fails at once with a FatalError', async () => {
    const run = () => Promise.reject(new FatalError('never'));
    const house = houseWith({ run });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      state: { status: 'failed', error: { code: 'tool_failed', message: 'never' } },
      claim: { fence: 1 },
    });
  });

  it('runs again with growing pauses until no retry is left', async () => {
    const at: number[] = [];
    const house = houseWith({
      retries: 3,
      run() {
        at.push(house.clock.nowMs());
        throw new Error(`broken ${at.length}`);
      },
    });
    const task = await house.start();
    await house.runFor(60_000);
    expect(at).toHaveLength(4);
    const gaps = at.slice(1).map((ms, n) => ms - (at[n] ?? 0));
    for (const [n, base] of [1000, 2000, 4000].entries()) {
      expect(gaps[n]).toBeGreaterThanOrEqual(base);
      // The backoff's spread, and the second to which a queue's delay is rounded up.
      expect(gaps[n]).toBeLessThanOrEqual(base * 1.25 + 1000);
    }
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: 'broken 4' },
    });
    expect(house.ports.work.size).toBe(0);
  });

  it('completes when a retry succeeds', async () => {
    const house = houseWith({
      async run(_input, { attempt }) {
        if (attempt < 3) throw new Error('not yet');
        return 'at last';
      },
    });
    const task = await house.start();
    await house.runFor(20_000);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed' },
      claim: { fence: 3, failures: 2, pauses: 0 },
    });
  });

  it('waits as long as a RetryAfterError says, and it counts for nothing', async () => {
    const at: number[] = [];
    const house = houseWith({
      retries: 0,
      async run() {
        at.push(house.clock.nowMs());
        if (at.length <= 5) throw new RetryAfterError(7000);
      },
    });
    const task = await house.start();
    await house.runFor(60_000);
    expect(at.map((ms) => ms - (at[0] ?? 0))).toEqual([0, 7000, 14_000, 21_000, 28_000, 35_000]);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed' },
      claim: { fence: 6, failures: 0, pauses: 5 },
    });
  });

  it('waits longer than one delay of the queue in several hops', async () => {
    const at: number[] = [];
    const house = houseWith({
      async run() {
        at.push(house.clock.nowMs());
        if (at.length === 1) throw new RetryAfterError(40 * 60_000);
      },
    });
    await house.start();
    await house.runFor(41 * 60_000);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBe(40 * 60_000);
    expect(house.thrown).toEqual([]);
  });

  it('is tried again when this worker does not have it yet, and fails in the end', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const { ports } = house;
    (ports.tools as Map<string, unknown>).delete('slow');
    await house.runFor(1000);
    expect((await house.task(task)).state.status).toBe('working');
    await house.runFor(60_000);
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: 'This worker has no tool named slow.' },
    });
  });

  it('fails when it keeps more than a checkpoint holds', async () => {
    const run: TestTool['run'] = (_input, task) => task.checkpoint('x'.repeat(checkpointBytesMax));
    const house = houseWith({ run, retries: 0 });
    const task = await house.start();
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      error: { message: `A checkpoint holds at most ${checkpointBytesMax} bytes of JSON.` },
    });
  });
});

/** A task store that also remembers all progress it took. */
function recordingProgress() {
  const seen: Progress[] = [];
  const tasks = (inner: TaskStore): TaskStore => ({
    ...inner,
    async record(key, writer, event) {
      const recorded = await inner.record(key, writer, event);
      if (recorded?.progress && event.kind === 'progressed') seen.push(recorded.progress);
      return recorded;
    },
  });
  return { tasks, seen };
}
