import { describe, expect, it } from 'vitest';
import { openDoor } from './door.ts';

const ann = { name: 'Ann', email: 'ann@example.com' };

describe('POST /v1/tasks with a quick tool', () => {
  it('answers 200 with the result', async () => {
    const { start } = openDoor();
    const { status, json } = await start({ tool: 'create_user', arguments: ann });
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'completed',
      result: { id: expect.stringMatching(/^user_[0-9a-f]{20}$/), ...ann },
    });
  });

  it('answers 200 with status failed and the reason when the tool fails', async () => {
    const { start } = openDoor();
    const { status, json } = await start({ tool: 'read_user', arguments: { id: 'user_0' } });
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'failed',
      error: { code: 'tool_failed', message: 'There is no user with the id "user_0".' },
    });
  });

  it('creates one user when the same key comes twice', async () => {
    const { start } = openDoor();
    const call = { tool: 'create_user', arguments: ann, idempotency_key: 'once' };
    const [first, second] = [await start(call), await start(call)];
    expect(second.text).toBe(first.text);
    const { json } = await start({ tool: 'list_users' });
    expect(json.result).toMatchObject({ users: [ann] });
  });

  it('creates, changes, reads and deletes users', async () => {
    const { start } = openDoor();
    const run = async (tool: string, args: unknown) =>
      (await start({ tool, arguments: args })).json;
    const created = await run('create_user', ann);
    const { id } = created.result as { id: string };
    expect(await run('update_user', { id, name: 'Anna' })).toMatchObject({
      result: { id, name: 'Anna', email: ann.email },
    });
    expect(await run('read_user', { id })).toMatchObject({ result: { name: 'Anna' } });
    expect(await run('delete_user', { id })).toMatchObject({ result: { id, deleted: true } });
    expect(await run('list_users', {})).toEqual({ status: 'completed', result: { users: [] } });
    expect(await run('delete_user', { id })).toMatchObject({ status: 'failed' });
  });

  it('keeps both of two changes made at once', async () => {
    const { start } = openDoor();
    const created = await start({ tool: 'create_user', arguments: ann });
    const { id } = created.json.result as { id: string };
    const change = (fields: object) => start({ tool: 'update_user', arguments: { id, ...fields } });
    const changed = { name: 'Anna', email: 'anna@example.com' };
    await Promise.all([change({ name: changed.name }), change({ email: changed.email })]);
    const { json } = await start({ tool: 'read_user', arguments: { id } });
    expect(json.result).toEqual({ id, ...changed });
  });
});

describe('POST /v1/tasks with a long-running tool', () => {
  it('answers 202 with a handle that can be read at once', async () => {
    const { ask, start } = openDoor();
    const { status, json } = await start({ tool: 'demo_wait', arguments: { seconds: 5 } });
    expect(status).toBe(202);
    expect(json).toEqual({
      task_id: expect.stringMatching(/^task_[A-Za-z0-9_-]{32}$/),
      status: 'working',
      poll_after_ms: 1000,
    });
    const read = await ask(`/v1/tasks/${String(json.task_id)}`);
    expect(read.status).toBe(200);
    expect(read.json).toEqual({
      task_id: json.task_id,
      tool: 'demo_wait',
      status: 'working',
      attempt: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('ends at deadline_s when that comes first', async () => {
    const { ask, start, house } = openDoor();
    const call = { tool: 'demo_wait', arguments: { seconds: 60 }, deadline_s: 5 };
    const { json } = await start(call);
    await house.runFor(15_000);
    const read = await ask(`/v1/tasks/${String(json.task_id)}`);
    expect(read.json).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
  });
});

describe('GET /v1/tasks/:id', () => {
  it('shows progress while the task works and the result once it has ended', async () => {
    const { ask, start, house } = openDoor();
    const args = { seconds: 4, progress: 4, result: { answer: 42 } };
    const { json } = await start({ tool: 'demo_wait', arguments: args });
    const path = `/v1/tasks/${String(json.task_id)}`;
    await house.runFor(2000);
    expect((await ask(path)).json).toMatchObject({
      status: 'working',
      progress: { percent: 50, message: '2 of 4' },
      attempt: 1,
    });
    await house.runFor(2000);
    expect((await ask(path)).json).toEqual({
      task_id: json.task_id,
      tool: 'demo_wait',
      status: 'completed',
      progress: { percent: 100, message: '4 of 4' },
      result: { answer: 42 },
      attempt: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:04.000Z',
      ended_at: '2026-01-01T00:00:04.000Z',
    });
  });

  it('shows why a task failed, and no result', async () => {
    const { ask, start, house } = openDoor();
    const args = { seconds: 0, outcome: 'fatal' };
    const { json } = await start({ tool: 'demo_wait', arguments: args });
    await house.pump();
    const read = await ask(`/v1/tasks/${String(json.task_id)}`);
    expect(read.json).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: 'demo_wait was told to fail for good.' },
    });
    expect(read.json).not.toHaveProperty('result');
  });

  it('with wait_s answers as soon as the task ends', async () => {
    const { ask, startWait, house } = openDoor();
    const id = await startWait(3);
    const waiting = ask(`/v1/tasks/${id}?wait_s=25`);
    await house.runFor(3000);
    expect((await waiting).json).toMatchObject({ status: 'completed' });
    expect(house.clock.nowMs()).toBe(Date.UTC(2026, 0, 1) + 3000);
  });

  it('with wait_s answers with the open task when the time is up', async () => {
    const { ask, startWait, house } = openDoor();
    const id = await startWait(60);
    let answered = false;
    const waiting = ask(`/v1/tasks/${id}?wait_s=2`).finally(() => {
      answered = true;
    });
    await house.runFor(1900);
    expect(answered).toBe(false);
    await house.runFor(100);
    expect((await waiting).json).toMatchObject({ status: 'working' });
  });
});

describe('POST /v1/tasks/:id/cancel', () => {
  it('answers 200 with the cancelled task, and 409 task_ended the second time', async () => {
    const { startWait, cancel, house } = openDoor();
    const id = await startWait(60);
    await house.runFor(1000);
    const first = await cancel(id);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ task_id: id, status: 'cancelled' });
    expect(first.json.ended_at).toBe('2026-01-01T00:00:01.000Z');
    const second = await cancel(id);
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      code: 'task_ended',
      detail: 'The task has already ended: cancelled.',
    });
    await house.runFor(10_000);
    expect(house.ports.work.size).toBe(0);
  });

  it('ends a wait for the task', async () => {
    const { ask, startWait, cancel } = openDoor();
    const id = await startWait(60);
    const waiting = ask(`/v1/tasks/${id}?wait_s=25`);
    await cancel(id);
    expect((await waiting).json).toMatchObject({ status: 'cancelled' });
  });

  it('answers 409 task_ended for a completed task', async () => {
    const { startWait, cancel, house } = openDoor();
    const id = await startWait(0);
    await house.pump();
    expect((await cancel(id)).json).toMatchObject({
      code: 'task_ended',
      detail: 'The task has already ended: completed.',
    });
  });
});

describe('POST /v1/tasks/:id/input', () => {
  const json = { key: 'approval', value: true };

  it('answers 409 response_conflict when the task has asked for nothing', async () => {
    const { ask, startWait } = openDoor();
    const answer = await ask(`/v1/tasks/${await startWait()}/input`, { json });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({ code: 'response_conflict' });
  });

  it('answers 409 task_ended when the task is over', async () => {
    const { ask, startWait, cancel } = openDoor();
    const id = await startWait();
    await cancel(id);
    const answer = await ask(`/v1/tasks/${id}/input`, { json });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({ code: 'task_ended' });
  });

  it('answers 404 task_not_found for a task that never was', async () => {
    const { ask } = openDoor();
    const answer = await ask(`/v1/tasks/task_${'x'.repeat(32)}/input`, { json });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'task_not_found' });
  });

  it('names the missing key of a body', async () => {
    const { ask, startWait } = openDoor();
    const answer = await ask(`/v1/tasks/${await startWait()}/input`, { json: { value: 1 } });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'invalid_request', errors: [{ path: 'key' }] });
  });
});
