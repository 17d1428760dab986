import { describe, expect, it } from 'vitest';
import { meetAgent, meetDoor } from './agent.ts';

const ann = { name: 'Ann', email: 'ann@example.com' };
const install = { tool: 'install_package', arguments: { package: 'left', duration_s: 10 } };
const installed = {
  status: 'installed',
  package: 'left',
  stages: ['Resolved dependencies', 'Downloaded', 'Unpacked', 'Linked'],
};
const handleOf = (taskId: unknown) => ({
  task_id: taskId,
  status: 'working',
  poll_after_ms: 1000,
  next: expect.stringContaining(`call wait_for_task with task_id "${String(taskId)}"`),
});

describe('pattern 3, a background task: start_task now, wait_for_task later', () => {
  it('leaves the agent free, and gives the result to whoever waits', async (test) => {
    const { call } = await meetAgent(test);
    const handle = await call('start_task', install);
    const { task_id } = handle;
    expect(handle).toEqual(handleOf(task_id));
    expect(await call('create_user', ann)).toMatchObject(ann);
    expect(await call('wait_for_task', { task_id, timeout_s: 1 })).toEqual(handleOf(task_id));
    const ended = { task_id, status: 'completed', result: installed };
    expect(await call('wait_for_task', { task_id, timeout_s: 25 })).toEqual(ended);
    expect(await call('wait_for_task', { task_id })).toEqual(ended);
    expect(await call('get_task', { task_id })).toMatchObject({ ...ended, attempt: 1 });
  });

  it('gives a handle even for work that ends at once', async () => {
    const { run, house } = meetDoor();
    const waitNot = { tool: 'demo_wait', arguments: { seconds: 0 } };
    const { task_id, status } = await run('start_task', waitNot);
    expect(status).toBe('working');
    await house.pump();
    expect(await run('wait_for_task', { task_id, timeout_s: 0 })).toEqual({
      task_id,
      status: 'completed',
      result: { waited_s: 0 },
    });
  });

  it('is waited for in as many polls as five minutes take', async () => {
    const { run, house } = meetDoor();
    const minutes = { tool: 'demo_wait', arguments: { seconds: 300, progress: 10 } };
    const { task_id } = await run('start_task', minutes);
    const answers: unknown[] = [];
    while (answers.at(-1) !== 'completed' && answers.length < 20) {
      const waiting = run('wait_for_task', { task_id, timeout_s: 25 });
      await house.runFor(25_000);
      answers.push((await waiting).status);
    }
    expect(answers).toEqual([...Array.from({ length: 11 }, () => 'working'), 'completed']);
    expect(house.verdicts).toEqual(['done', 'done']);
  });

  it('tells the one who waits why a task failed', async (test) => {
    const { call } = await meetAgent(test);
    const fatal = { tool: 'demo_wait', arguments: { seconds: 0, outcome: 'fatal' } };
    const { task_id } = await call('start_task', fatal);
    expect(await call('wait_for_task', { task_id })).toEqual({
      task_id,
      status: 'failed',
      error: { code: 'tool_failed', message: 'demo_wait was told to fail for good.' },
    });
  });
});
