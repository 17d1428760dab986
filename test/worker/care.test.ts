import { expect, it } from 'vitest';
import { retentionMs } from '../../functions/core/limits.ts';
import { startTask } from '../../functions/tasks/start-task.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

it('keeps the higher of two reports made at once', async () => {
  const both = testTool({ run: (_i, t) => Promise.all([t.progress(80), t.progress(20)]) });
  const house = memoryHouse({ tools: [both] });
  const key = await house.start();
  await house.pump();
  expect((await house.task(key)).progress?.percent).toBe(80);
});

it('finishes a run although a read beside it failed', async () => {
  let away = false;
  const house = memoryHouse({
    tools: [testTool({ run: () => house.clock.sleep(5000) })],
    wrapTasks: (tasks) => ({
      ...tasks,
      get: (key) => (away ? Promise.reject(new Error('away')) : tasks.get(key)),
    }),
  });
  const key = await house.start();
  await house.runFor(1000);
  away = true;
  house.ports.signals.raise(key.taskId);
  await house.clock.advance(0);
  away = false;
  await house.runFor(5000);
  expect((await house.task(key)).state.status).toBe('completed');
});

it('takes a checkpoint while a suspended run tidies up', async () => {
  const states: unknown[] = [];
  const tidy = testTool({
    async run(_input, task) {
      states.push(task.state);
      if (task.state) return;
      await house.clock.sleep(600_000, task.signal);
      await task.checkpoint({ tidy: true });
      task.signal.throwIfAborted();
    },
  });
  const house = memoryHouse({ functionMs: 60_000, tools: [tidy] });
  await house.start();
  await house.runFor(40_000);
  expect(states).toEqual([undefined, { tidy: true }]);
});

it('refuses an identity whose task has expired instead of handing out what cannot be read', async () => {
  const house = memoryHouse();
  const { owner } = await house.start({ identity: 'k' });
  await house.pump();
  await house.clock.advance(retentionMs);
  const again = await startTask(house.ports, {
    owner,
    tool: [...house.ports.tools.keys()][0] ?? '',
    arguments: {},
    caller: { kind: 'client' },
    identity: 'k',
  });
  expect(again).toMatchObject({ ok: false, failure: { reason: 'idempotency_conflict' } });
});
