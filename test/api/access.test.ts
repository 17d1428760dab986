import { describe, expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { demoHouse } from '../running-house.ts';
import { openDoor, readAnswer, type Answer, type Asking } from './door.ts';

const neverWas = `task_${'x'.repeat(32)}`;
const input = { json: { key: 'approval', value: true } };

const whole = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.fromEntries(headers),
  text,
});

describe('the task of another owner', () => {
  const routes: [string, (id: string) => string, Asking][] = [
    ['GET', (id) => `/v1/tasks/${id}`, {}],
    ['GET with wait_s', (id) => `/v1/tasks/${id}?wait_s=25`, {}],
    ['cancel', (id) => `/v1/tasks/${id}/cancel`, { method: 'POST' }],
    ['input', (id) => `/v1/tasks/${id}/input`, input],
  ];

  it.each(routes)('answers %s like one that never was, byte for byte', async (_, path, asking) => {
    const { ask, startWait, house } = openDoor();
    const id = await startWait();
    const bob: Asking = { ...asking, as: 'bob' };
    const foreign = await ask(path(id), bob);
    const unknown = await ask(path(neverWas), bob);
    const noId = await ask(path('1'), bob);
    expect(foreign).toMatchObject({ status: 404, json: { code: 'task_not_found' } });
    expect(whole(foreign)).toEqual(whole(unknown));
    expect(whole(foreign)).toEqual(whole(noId));
    expect(house.ports.work.size).toBe(1);
    expect((await ask(`/v1/tasks/${id}`)).json).toMatchObject({ status: 'working' });
  });

  it.each(['wait_for_task', 'get_task', 'cancel_task'])(
    'is unknown to %s of another, byte for byte',
    async (tool) => {
      const { start, startWait } = openDoor();
      const id = await startWait();
      const foreign = await start({ tool, arguments: { task_id: id } }, 'bob');
      const unknown = await start({ tool, arguments: { task_id: neverWas } }, 'bob');
      expect(foreign.json).toMatchObject({
        status: 'failed',
        error: { message: 'There is no such task.' },
      });
      expect(whole(foreign)).toEqual(whole(unknown));
    },
  );

  it('is not met by the same idempotency key', async () => {
    const { start } = openDoor();
    const call = { tool: 'demo_wait', arguments: { seconds: 1 }, idempotency_key: 'shared' };
    const [alices, bobs] = [await start(call), await start(call, 'bob')];
    expect(bobs.status).toBe(202);
    expect(bobs.json.task_id).not.toBe(alices.json.task_id);
  });

  it('does not show its users either', async () => {
    const { start } = openDoor();
    await start({ tool: 'create_user', arguments: { name: 'Ann', email: 'ann@example.com' } });
    const { json } = await start({ tool: 'list_users' }, 'bob');
    expect(json).toEqual({ status: 'completed', result: { users: [] } });
  });
});

describe('with API keys', () => {
  const ways: [string, Record<string, string>][] = [
    ['no key', { authorization: '' }],
    ['a wrong key', { authorization: 'Bearer key-of-carol' }],
    ['the beginning of a key', { authorization: 'Bearer key-of-al' }],
    ['another scheme', { authorization: 'Basic key-of-alice' }],
    ['two keys', { authorization: 'Bearer key-of-alice key-of-bob' }],
  ];
  const paths = ['/v1/tools', '/v1/tasks', `/v1/tasks/${neverWas}`, '/v1/nowhere', '/mcp'];

  it.each(ways)('%s is 401 on every route that touches a task', async (_, headers) => {
    const { ask } = openDoor();
    for (const path of paths) {
      const answer = await ask(path, { headers });
      expect(answer).toMatchObject({ status: 401, type: 'application/problem+json' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.json).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('no key is 401 before a body is read', async () => {
    const { ask } = openDoor();
    const answer = await ask('/v1/tasks', { body: '{', headers: { authorization: '' } });
    expect(answer.status).toBe(401);
  });

  it('the scheme may be written in any case', async () => {
    const { ask } = openDoor();
    const headers = { authorization: 'bearer key-of-alice' };
    expect((await ask('/v1/tasks', { headers })).status).toBe(200);
  });

  it.each(['/health', '/openapi.json'])('%s needs none', async (path) => {
    const { ask } = openDoor();
    expect((await ask(path, { headers: { authorization: '' } })).status).toBe(200);
  });
});

describe('on this machine without API keys', () => {
  const ask = async (headers: Record<string, string>) => {
    const app = createApp(demoHouse().ports, loopbackAuth);
    return readAnswer(await app.request('/v1/tasks', { headers }));
  };

  it.each(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'localhost'])(
    'a request to %s is answered',
    async (host) => {
      expect((await ask({ host })).status).toBe(200);
      expect((await ask({ host, origin: 'http://localhost:5173' })).status).toBe(200);
    },
  );

  it.each([
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.7:3000',
    'evil@10.0.0.7',
    '',
  ])('a request to the host %j is refused', async (host) => {
    expect(await ask({ host })).toMatchObject({ status: 403, json: { code: 'forbidden_host' } });
  });

  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://'])(
    'a page of the origin %s is refused',
    async (origin) => {
      const answer = await ask({ host: '127.0.0.1:3000', origin });
      expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden_origin' } });
    },
  );
});
