import { describe, expect, it } from 'vitest';
import { openDoor } from './door.ts';

const call = { tool: 'demo_wait', arguments: { seconds: 2 }, idempotency_key: 'deploy-7' };

describe('an idempotency key', () => {
  it('makes 100 parallel starts one task with one answer, and the tool runs once', async () => {
    const { start, ask, house } = openDoor();
    const answers = await Promise.all(Array.from({ length: 100 }, () => start(call)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect((await ask('/v1/tasks')).json.items).toHaveLength(1);
    await house.runFor(10_000);
    expect(house.facts.filter((fact) => fact === 'task ended')).toHaveLength(1);
    expect((await ask('/v1/tasks')).json.items).toMatchObject([
      { status: 'completed', attempt: 1 },
    ]);
  });

  it('gives the same answer after the task has ended', async () => {
    const { start, house } = openDoor();
    const first = await start(call);
    await house.runFor(10_000);
    expect((await start(call)).text).toBe(first.text);
    await house.runFor(150_000);
    expect(house.ports.work.size).toBe(0);
  });

  it('with other arguments is 409 idempotency_conflict, and the first task is untouched', async () => {
    const { start, ask, house } = openDoor();
    const first = await start(call);
    const other = await start({ ...call, arguments: { seconds: 3 } });
    expect(other.status).toBe(409);
    expect(other.json).toMatchObject({ code: 'idempotency_conflict' });
    await house.runFor(150_000);
    expect((await ask(`/v1/tasks/${String(first.json.task_id)}`)).json).toMatchObject({
      status: 'completed',
      result: { waited_s: 2 },
      attempt: 1,
    });
    expect(house.ports.work.size).toBe(0);
  });

  it('does not mind the order in which the arguments are written', async () => {
    const { start } = openDoor();
    const first = await start({ ...call, arguments: { seconds: 2, progress: 1 } });
    const second = await start({ ...call, arguments: { progress: 1, seconds: 2 } });
    expect(second.text).toBe(first.text);
  });

  it('belongs to one tool', async () => {
    const { start } = openDoor();
    const first = await start(call);
    const args = { package: 'left' };
    const other = await start({ ...call, tool: 'install_package', arguments: args });
    expect(other.status).toBe(202);
    expect(other.json.task_id).not.toBe(first.json.task_id);
  });

  it('of a quick tool gives one effect, and says so when the data are other ones', async () => {
    const { start } = openDoor();
    const ann = { name: 'Ann', email: 'ann@example.com' };
    const create = (data: object) =>
      start({ tool: 'create_user', arguments: data, idempotency_key: 'ann' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(ann)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json).toMatchObject({ status: 'completed', result: ann });
    const other = await create({ ...ann, name: 'Bob' });
    expect(other.json).toEqual({
      status: 'failed',
      error: { code: 'tool_failed', message: expect.stringMatching(/key was used before/) },
    });
    const { json } = await start({ tool: 'list_users' });
    expect(json.result).toEqual({ users: [answers[0]?.json.result] });
  });

  it('left out makes every start a task of its own', async () => {
    const { startWait } = openDoor();
    expect(await startWait()).not.toBe(await startWait());
  });
});
