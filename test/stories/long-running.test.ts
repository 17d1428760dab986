import { describe, expect, it } from 'vitest';
import { asTaskId } from '../../functions/core/ids.ts';
import { alice } from '../house.ts';
import { meetAgent, meetDoor } from './agent.ts';

const tool = 'batch_create_users_async';
const names = ['Alice', 'Bob', 'Charlie', 'Diana', 'Eve'];
const userNamed = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com` });
const five = names.map((name) => userNamed(name));
const made = (name: string) => ({ id: expect.stringMatching(/^user_/), ...userNamed(name) });

/** What a batch answers when everybody but so many was created. */
const batchResult = (created: readonly string[], failed: number, durationS: number) => ({
  status: 'completed',
  total_requested: created.length + failed,
  successful: created.length,
  failed,
  created_users: created.map((name) => made(name)),
  duration_seconds: durationS,
  message: `Batch creation completed: ${created.length} successful, ${failed} failed`,
});

const idsOf = (users: unknown) => (users as { id: string }[]).map(({ id }) => id).toSorted();

describe('pattern 2, a long-running tool: the agent waits, and nothing blocks', () => {
  it('answers inline when it ends within the grace time', async (test) => {
    const { call } = await meetAgent(test);
    const result = await call(tool, { users_data: five.slice(0, 3), delay: 0.5 });
    expect(result).toEqual(batchResult(names.slice(0, 3), 0, 1.5));
    expect(idsOf((await call('list_users')).users)).toEqual(idsOf(result.created_users));
  });

  it('answers with a handle when it takes longer, and its result comes by the handle', async (test) => {
    const { call } = await meetAgent(test);
    const { task_id, ...handle } = await call(tool, { users_data: five, delay: 0.5 });
    expect(handle).toEqual({
      status: 'working',
      poll_after_ms: 1000,
      next: expect.stringContaining(`"${String(task_id)}"`),
    });
    const ended = await call('wait_for_task', { task_id });
    const result = batchResult(names, 0, 2.5);
    expect(ended).toEqual({ task_id, status: 'completed', result });
    const { created_users } = ended.result as { created_users: unknown };
    expect(idsOf((await call('list_users')).users)).toEqual(idsOf(created_users));
  });

  it('reports every user once, in order, also the one it skips', async () => {
    const { start, read, house } = meetDoor();
    const users_data = five.with(2, { name: 'Charlie', email: 'nowhere' });
    const { json } = await start({ tool, arguments: { users_data, delay: 0.5 } });
    const reports: unknown[] = [];
    for (const _ of names) {
      await house.runFor(500);
      reports.push((await read(json.task_id)).progress);
    }
    expect(reports).toEqual([
      { percent: 20, message: 'Created Alice (1 of 5)' },
      { percent: 40, message: 'Created Bob (2 of 5)' },
      { percent: 60, message: 'Skipped a user that is not valid (3 of 5)' },
      { percent: 80, message: 'Created Diana (4 of 5)' },
      { percent: 100, message: 'Created Eve (5 of 5)' },
    ]);
    const task = await house.task({ owner: alice, taskId: asTaskId(String(json.task_id)) });
    expect(task.sequence).toBe(names.length + 1);
  });

  it('creates everybody else when one user is bad', async () => {
    const { start, read, run, house } = meetDoor();
    const bad = [{ name: 'Nameless' }, { name: '', email: 'a@example.com' }, 'Bob', null];
    for (const one of bad) {
      const arguments_ = { users_data: [userNamed('Alice'), one, userNamed('Eve')], delay: 0 };
      const { json } = await start({ tool, arguments: arguments_ });
      await house.runFor(1000);
      expect(await read(json.task_id)).toMatchObject({
        status: 'completed',
        attempt: 1,
        result: batchResult(['Alice', 'Eve'], 1, 0),
      });
    }
    expect((await run('list_users')).users).toHaveLength(2 * bad.length);
    expect(house.verdicts).toEqual(bad.flatMap(() => ['done', 'done']));
    expect(house.ports.work.size).toBe(0);
  });
});
