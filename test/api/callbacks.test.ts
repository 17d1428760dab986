import { describe, expect, it } from 'vitest';
import { bodyBytesMax } from '../../functions/core/limits.ts';
import { createApp } from '../../functions/api/app.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { alice, type HouseOptions } from '../house.ts';
import { demoHouse } from '../running-house.ts';
import { openDoor, readAnswer, twoOwners, type Answer } from './door.ts';

const here: HouseOptions = { settings: { showCallback: true } };
const live = { status: 'live', url: 'https://staging.example', duration: 480 };
const neverWas = `task_${'x'.repeat(32)}`;

interface Shown {
  readonly url: string;
  readonly token: string;
  readonly expires_at: string;
  readonly correlation_id: string;
}

/** A door behind which a deployment waits for its callback. */
async function openDeployment(options: HouseOptions = here) {
  const door = openDoor(options);
  const startOne = async (more: object = {}) => {
    const args = { version: 'v2.5.0', environment: 'staging' };
    const { json } = await door.start({ tool: 'deploy_to_staging', arguments: args, ...more });
    await door.house.pump();
    return String(json.task_id);
  };
  const read = async (id: string) => (await door.ask(`/v1/tasks/${id}`)).json;
  const callbackOf = async (id: string) => (await read(id)).callback as Shown;
  const report = (id: string, token: string, json: unknown) =>
    door.ask(`/callbacks/${id}`, { json, headers: { authorization: `Bearer ${token}` } });
  return { ...door, startOne, read, callbackOf, report };
}

const whole = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.fromEntries(headers),
  text,
});

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

describe('a callback is refused', () => {
  it('with 401 for a wrong token, another task’s, an API key, none, and an unknown task alike', async () => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const [id, other] = [await startOne(), await startOne()];
    const { token } = await callbackOf(id);
    const theirs = await callbackOf(other);
    const body = { status: 'completed', result: live };
    const refused = await Promise.all([
      report(id, 'wrong', body),
      report(id, theirs.token, body),
      report(id, `${token}x`, body),
      report(id, token.slice(0, -2), body),
      report(id, 'key-of-alice', body),
      report(id, '', body),
      report(neverWas, token, body),
      report('1', token, body),
    ]);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
      expect(whole(answer)).toEqual(whole(refused[0] ?? answer));
    }
    expect(await read(id)).toMatchObject({ status: 'working' });
  });

  it('with 401 for a token whose task is gone', async () => {
    const { house, startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const empty = createApp(demoHouse().ports, twoOwners);
    const answer = await empty.request(`/callbacks/${id}`, {
      method: 'POST',
      body: JSON.stringify({ status: 'progress' }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(401);
    expect((await readAnswer(answer)).text).toBe((await report(id, 'wrong', {})).text);
    expect(house.ports.work.size).toBe(0);
  });

  it('with 401 for what its token does not allow', async () => {
    const { house, startOne, report } = await openDeployment();
    const id = await startOne();
    const grant = { owner: 'alice', taskId: id, verbs: ['progress'] };
    const token = house.ports.sealer.seal('callback', grant, house.clock.nowMs() + 1000);
    expect((await report(id, token, { status: 'completed', result: live })).status).toBe(401);
    expect((await report(id, token, { status: 'progress' })).status).toBe(202);
  });

  it('with 410 once the deadline of its task has passed', async () => {
    const { house, startOne, callbackOf, report } = await openDeployment();
    const id = await startOne({ deadline_s: 5 });
    const { token, expires_at } = await callbackOf(id);
    expect(expires_at).toBe('2026-01-01T00:00:05.000Z');
    await house.clock.advance(5000);
    const answer = await report(id, token, { status: 'completed', result: live });
    expect(answer).toMatchObject({ status: 410, json: { code: 'token_expired' } });
  });

  it('with 410 after the timeout too, but its result is kept and can be seen', async () => {
    const { ask, house, startOne, callbackOf, report, read } = await openDeployment();
    const id = await startOne({ deadline_s: 5 });
    const { token } = await callbackOf(id);
    await house.clock.advance(6000);
    await sweep(house.ports);
    await house.pump();
    expect((await report(id, token, { status: 'completed', result: { wrong: 1 } })).status).toBe(
      410,
    );
    expect(await read(id)).not.toHaveProperty('late_result');
    for (const _ of [1, 2]) {
      expect((await report(id, token, { status: 'completed', result: live })).status).toBe(410);
    }
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
      late_result: live,
    });
    const { items } = (await ask('/v1/audit')).json as { items: { kind: string }[] };
    expect(items.filter(({ kind }) => kind === 'late')).toHaveLength(1);
  });

  it.each(['{"status":', '', 'status=completed'])('with 400 for the body %j', async (body) => {
    const { ask, startOne, read, callbackOf } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await ask(`/callbacks/${id}`, { body, headers, method: 'POST' });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_json' } });
    expect(await read(id)).toMatchObject({ status: 'working' });
  });

  it.each([
    [{}, 'status'],
    [{ status: 'cancelled' }, 'status'],
    [{ status: 'progress', progress: { percent: 'half' } }, 'progress.percent'],
    [{ status: 'progress', progress: { percent: 101 } }, 'progress.percent'],
    [{ status: 'progress', progress: { percent: -1 } }, 'progress.percent'],
    [{ status: 'failed', error: 7 }, 'error'],
    [{ status: 'completed', resutl: {} }, 'resutl'],
  ])('with 400 for a report of the wrong shape: %j', async (json, path) => {
    const { startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const answer = await report(id, token, json);
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(answer.json.errors).toMatchObject([{ path }]);
  });

  it('with 413 for a body that is too large, and with 401 before it is read', async () => {
    const { startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const json = { status: 'completed', result: 'x'.repeat(bodyBytesMax) };
    expect(await report(id, token, json)).toMatchObject({
      status: 413,
      json: { code: 'body_too_large' },
    });
    expect((await report(id, 'wrong', json)).status).toBe(401);
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
