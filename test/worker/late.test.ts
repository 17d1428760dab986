import { describe, expect, it } from 'vitest';
import { stopGraceMs } from '../../functions/core/limits.ts';
import { keyOf } from '../../functions/core/task.ts';
import { refuse } from '../../functions/core/result.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { ringingHouse, session } from '../ringing-house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

/** A tool that returns some time after it was told to stop. */
function stubbornHouse(afterMs: number, more: TestTool = {}) {
  const made = ringingHouse({
    tools: [
      testTool({
        deadlineMs: 10_000,
        async run(_input, { signal }) {
          await made.house.clock.sleep(60_000, signal);
          await made.house.clock.sleep(afterMs);
          return 'after all';
        },
        ...more,
      }),
    ],
  });
  return made;
}

describe('a tool that returns after its task', () => {
  it('timed out has its result kept beside the end, and its session told of both', async () => {
    const { house, rings, runFor } = stubbornHouse(1000);
    const task = await house.start({ caller: session });
    await runFor(12_000);
    expect(await house.task(task)).toMatchObject({
      sequence: 1,
      state: { status: 'failed', error: { code: 'timed_out' } },
      late: { value: { json: '"after all"' } },
    });
    expect(rings.length).toBeGreaterThanOrEqual(2);
    expect(house.ports.work.size).toBe(0);
  });

  it('was cancelled has its result kept', async () => {
    const { house, ports, rings, runFor } = stubbornHouse(2000);
    const task = await house.start({ caller: session });
    await runFor(1000);
    await cancelTask(ports, keyOf(task));
    await runFor(1000);
    const before = rings.length;
    expect(before).toBeGreaterThan(0);
    await runFor(2000);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'cancelled' },
      late: { value: { json: '"after all"' } },
    });
    expect(rings.length).toBeGreaterThan(before);
    expect(house.ports.work.size).toBe(0);
  });

  it('was cancelled at the very moment it returned has its result kept', async () => {
    const { house, ports, runFor } = ringingHouse({
      tools: [
        testTool({
          async run() {
            const atMs = house.clock.nowMs();
            await ports.tasks.record(keyOf(task), 'anyone', { kind: 'cancelled', atMs });
            return 'just so';
          },
        }),
      ],
    });
    const task = await house.start();
    await runFor(1000);
    expect((await house.task(task)).late).toMatchObject({ value: { json: '"just so"' } });
  });

  it.each([
    ['comes after its grace', stopGraceMs + 1000, {}],
    ['does not match its output', 0, { checkResult: () => refuse({ reason: 'task_not_found' }) }],
    ['is only what a start gave', 0, { external: true }],
  ])('and its result %s keeps nothing', async (_why, afterMs, more) => {
    const { house, runFor } = stubbornHouse(afterMs, more);
    const task = await house.start();
    await runFor(20_000);
    const { state, late } = await house.task(task);
    expect(state).toMatchObject({ error: { code: 'timed_out' } });
    expect(late).toBeUndefined();
  });
});
