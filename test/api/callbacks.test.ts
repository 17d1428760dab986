import { describe, expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import { alice } from '../house.ts';
import { demoHouse } from '../running-house.ts';
import { here, live, neverWas, openDeployment, type Shown } from './deployment.ts';
import { openDoor, readAnswer, twoOwners } from './door.ts';

describe('POST /callbacks/:task_id', () => {
  it('takes progress and then the end, without an API key', async () => {
    const { house, startOne, read, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const progress = { percent: 40, message: 'Building' };
    const first = await report(id, token, { status: 'progress', progress });
    expect(first).toMatchObject({ status: 202, json: { outcome: 'applied' } });
    expect(await read(id)).toMatchObject({ status: 'working', progress });
    const second = await report(id, token, { status: 'completed', result: live });
    expect(second).toMatchObject({ status: 202, json: { outcome: 'applied' } });
    expect(await read(id)).toMatchObject({ status: 'completed', result: live, progress });
    await house.pump();
    expect(house.ports.work.size).toBe(0);
  });

  it('answers the same end again with 200, and another one with 409', async () => {
    const { startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    await report(id, token, { status: 'completed', result: live });
    const again = await report(id, token, { status: 'completed', result: live });
    expect(again).toMatchObject({ status: 200, json: { outcome: 'already_applied' } });
    for (const other of [
      { status: 'completed', result: { ...live, url: 'https://elsewhere.example' } },
      { status: 'failed', error: 'no' },
      { status: 'progress', progress: { percent: 99 } },
    ]) {
      const answer = await report(id, token, other);
      expect(answer).toMatchObject({ status: 409, json: { code: 'task_ended' } });
    }
  });

  it.each([
    ['tests are red', 'tests are red'],
    [{ code: 'E1', message: 'tests are red' }, 'E1: tests are red'],
    [undefined, 'It failed, and did not say why.'],
  ])('fails the task with the error %j', async (error, message) => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const answer = await report(id, token, { status: 'failed', error });
    expect(answer).toMatchObject({ status: 202, json: { outcome: 'applied' } });
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message },
    });
  });

  it('refuses a result the tool does not give with 422, and the task stays open', async () => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const result = { status: 'live' };
    const answer = await report(id, token, { status: 'completed', result });
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'result_schema_mismatch', errors: [{ path: 'url' }] },
    });
    expect((await report(id, token, { status: 'completed' })).status).toBe(422);
    expect(await read(id)).toMatchObject({ status: 'working' });
  });

  it('answers 409 after a cancel, and keeps the result', async () => {
    const { house, startOne, callbackOf, report, cancel } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    await cancel(id);
    const answer = await report(id, token, { status: 'completed', result: live });
    expect(answer).toMatchObject({ status: 409, json: { code: 'task_ended' } });
    const { items } = await house.ports.tasks.list(alice, { limit: 1 });
    expect(items[0]).toMatchObject({ state: { status: 'cancelled' }, late: {} });
  });

  it('gives one end to twenty at once', async () => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        report(id, token, { status: 'completed', result: { ...live, url: `https://${n}` } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    const { result } = await read(id);
    expect(result).toMatchObject({ url: `https://${statuses.indexOf(202)}` });
  });
});

describe('the callback of a task', () => {
  it('is shown by GET while it is open, on one’s own machine', async () => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const callback = await callbackOf(id);
    expect(callback).toEqual({
      url: `https://boomerang.example/callbacks/${id}`,
      token: expect.any(String),
      expires_at: '2026-01-02T00:00:00.000Z',
      correlation_id: id.replace('task_', ''),
    });
    await report(id, callback.token, { status: 'completed', result: live });
    expect(await read(id)).not.toHaveProperty('callback');
  });

  it('is shown nowhere else, to no model, and in no list', async () => {
    const { ask, start, startOne, house } = await openDeployment();
    const id = await startOne();
    const answers = [
      await ask('/v1/tasks'),
      await start({ tool: 'get_task', arguments: { task_id: id } }),
      await start({ tool: 'list_tasks' }),
    ];
    for (const { text } of answers) expect(text).not.toContain('callback');
    const elsewhere = openDoor();
    const { json } = await elsewhere.start({
      tool: 'deploy_to_staging',
      arguments: { version: '1' },
    });
    const shown = await elsewhere.ask(`/v1/tasks/${String(json.task_id)}`);
    expect(shown.json).not.toHaveProperty('callback');
    expect(house.ports.work.size).toBe(0);
  });

  it('has a token that stands in no log, whatever becomes of it', async () => {
    const lines: string[] = [];
    const house = demoHouse(here);
    const log = (...said: readonly unknown[]) => void lines.push(JSON.stringify(said));
    Object.assign(house.ports, { log });
    const app = createApp(house.ports, twoOwners);
    const { taskId } = await house.start({
      tool: 'deploy_to_staging',
      arguments: { version: '1' },
    });
    await house.pump();
    const asked = await app.request(`/v1/tasks/${taskId}`, {
      headers: { authorization: 'Bearer key-of-alice' },
    });
    const { token } = (await readAnswer(asked)).json.callback as Shown;
    const post = (path: string, body: string) =>
      app.request(path, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
    await post(`/callbacks/${neverWas}`, '{}');
    await post(`/callbacks/${taskId}`, '{');
    await post(`/callbacks/${taskId}`, '{"status":"progress"}');
    const record = () => Promise.reject(new Error('the table is away'));
    const whole = { ...house.ports.tasks };
    Object.assign(house.ports.tasks, { record });
    expect((await post(`/callbacks/${taskId}`, '{"status":"failed"}')).status).toBe(500);
    Object.assign(house.ports.tasks, whole);
    await house.pump();
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('\n')).not.toContain(token.slice(0, 12));
  });
});
