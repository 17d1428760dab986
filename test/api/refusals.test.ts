import { describe, expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import { bodyBytesMax } from '../../functions/core/limits.ts';
import type { Log } from '../../functions/ports.ts';
import { openDoor, readAnswer, twoOwners, type Answer } from './door.ts';

function expectProblem(answer: Answer, status: number, code: string) {
  expect(answer.type).toBe('application/problem+json');
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({ type: 'about:blank', status, code });
  expect(answer.json.title).toBeTypeOf('string');
  expect(answer.json.detail).toBeTypeOf('string');
}

const bodyOf = (bytes: number) => {
  const around = JSON.stringify({ tool: 'create_user', arguments: { name: '' } });
  return JSON.stringify({
    tool: 'create_user',
    arguments: { name: 'x'.repeat(bytes - around.length) },
  });
};

describe('a start is refused', () => {
  it('for an unknown tool, with the names of the known ones', async () => {
    const { start } = openDoor();
    const answer = await start({ tool: 'creat_user', arguments: {} });
    expectProblem(answer, 404, 'tool_not_found');
    expect(answer.json.detail).toMatch(/"creat_user".*create_user.*batch_create_users_async/);
  });

  it.each([
    ['create_user', { name: 'Ann', email: 'nope' }, 'email', /email/i],
    ['create_user', { email: 'ann@example.com' }, 'name', /expected string/],
    ['batch_create_users_async', { users_data: 'Ann' }, 'users_data', /expected array/],
    ['batch_create_users_async', { users_data: [{}], delay: -1 }, 'delay', />=0/],
    ['install_package', { package: 'left', duration_s: 'long' }, 'duration_s', /expected number/],
    ['demo_wait', { seconds: 1, outcome: 'maybe' }, 'outcome', /completed/],
  ])('for wrong arguments of %s: %j', async (tool, args, path, expectation) => {
    const { start, house } = openDoor();
    const answer = await start({ tool, arguments: args });
    expectProblem(answer, 422, 'invalid_arguments');
    const message = expect.stringMatching(expectation);
    expect(answer.json.errors).toEqual([{ path, message }]);
    expect(answer.json.detail).toContain(`the tool ${tool}: ${path}: `);
    expect(house.ports.work.size).toBe(0);
  });

  it('for an argument nobody knows, by its name', async () => {
    const { start } = openDoor();
    const answer = await start({ tool: 'demo_wait', arguments: { seconds: 1, secnods: 2 } });
    expectProblem(answer, 422, 'invalid_arguments');
    expect(answer.text).toContain('secnods');
  });

  it.each([
    [{ arguments: {} }, 'tool'],
    [{ tool: 'demo_wait', arguments: [1] }, 'arguments'],
    [{ tool: 'demo_wait', idempotency_key: 'k'.repeat(129) }, 'idempotency_key'],
    [{ tool: 'demo_wait', idempotency_key: '' }, 'idempotency_key'],
    [{ tool: 'demo_wait', deadline_s: 0 }, 'deadline_s'],
    [{ tool: 'demo_wait', deadline_s: 1.5 }, 'deadline_s'],
  ])('for a body of the wrong shape: %j', async (json, path) => {
    const { start } = openDoor();
    const answer = await start(json);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.json.errors).toEqual([{ path, message: expect.any(String) }]);
  });

  it.each(['{"tool":', 'tool=demo_wait', '{"tool":"demo_wait",}', '\u0000'])(
    'for a body that is not JSON: %j',
    async (body) => {
      const { ask } = openDoor();
      expectProblem(await ask('/v1/tasks', { body }), 400, 'invalid_json');
    },
  );

  it.each(['null', '[]', '"demo_wait"', '1'])('for JSON that is no object: %s', async (body) => {
    const { ask } = openDoor();
    expectProblem(await ask('/v1/tasks', { body }), 400, 'invalid_request');
  });

  it('for no body at all', async () => {
    const { ask } = openDoor();
    expect((await ask('/v1/tasks', { method: 'POST' })).status).toBe(400);
  });

  it('for an empty body that claims to be JSON, where a body is needed', async () => {
    const { ask, startWait } = openDoor();
    const id = await startWait();
    for (const path of ['/v1/tasks', `/v1/tasks/${id}/input`]) {
      expectProblem(await ask(path, { body: '' }), 400, 'invalid_json');
    }
    expect((await ask(`/v1/tasks/${id}/cancel`, { body: '' })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
    'application/json.x',
  ])('for the content type %s', async (type) => {
    const { ask } = openDoor();
    const body = JSON.stringify({ tool: 'list_users' });
    const answer = await ask('/v1/tasks', { body, headers: { 'content-type': type } });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.json.detail).toContain(`expected application/json, got ${type}`);
  });

  it('not for a content type with a charset', async () => {
    const { ask } = openDoor();
    const type = { 'content-type': 'application/json; charset=utf-8' };
    const json = { tool: 'list_users' };
    expect((await ask('/v1/tasks', { json, headers: type })).status).toBe(200);
  });
});

describe('a body', () => {
  it('of one mebibyte is read', async () => {
    const { ask } = openDoor();
    const answer = await ask('/v1/tasks', { body: bodyOf(bodyBytesMax) });
    expectProblem(answer, 422, 'invalid_arguments');
  });

  it('of one byte more is refused, whether or not its length is announced', async () => {
    const { ask } = openDoor();
    const body = bodyOf(bodyBytesMax + 1);
    const headers = { 'content-length': String(body.length) };
    for (const asking of [{ body }, { body, headers }]) {
      const answer = await ask('/v1/tasks', asking);
      expectProblem(answer, 413, 'body_too_large');
      expect(answer.headers.get('connection')).toBe('close');
    }
  });

  it('that is too large is refused on every route that takes one', async () => {
    const { ask, startWait } = openDoor();
    const id = await startWait();
    const body = bodyOf(bodyBytesMax + 1);
    for (const path of [`/v1/tasks/${id}/input`, `/v1/tasks/${id}/cancel`, '/mcp']) {
      expectProblem(await ask(path, { body }), 413, 'body_too_large');
    }
  });
});

describe('a query is refused', () => {
  it.each(['-1', '26', '25.01', 'soon', 'Infinity', 'NaN', '', '%20', '0x10', '1e1', '1.'])(
    'for wait_s=%s',
    async (wait) => {
      const { ask, startWait } = openDoor();
      const answer = await ask(`/v1/tasks/${await startWait()}?wait_s=${wait}`);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.json.errors).toEqual([{ path: 'wait_s', message: expect.any(String) }]);
    },
  );

  it.each(['0', '-1', '101', '1.5', 'all', '', '0x10', '%205'])('for limit=%s', async (limit) => {
    const { ask } = openDoor();
    const answer = await ask(`/v1/tasks?limit=${limit}`);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.json.errors).toEqual([{ path: 'limit', message: expect.any(String) }]);
  });

  it.each(['', 'x', '1.task_x', '1', `-1.task_${'x'.repeat(32)}`])(
    'for cursor=%j',
    async (cursor) => {
      const { ask } = openDoor();
      const answer = await ask(`/v1/tasks?cursor=${cursor}`);
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.json.errors).toEqual([{ path: 'cursor', message: expect.any(String) }]);
    },
  );

  it('for a status that does not exist', async () => {
    const { ask } = openDoor();
    const answer = await ask('/v1/tasks?status=done');
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.json.errors).toEqual([
      { path: 'status', message: expect.stringContaining('working') },
    ]);
  });
});

describe('a route that does not exist', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/task'],
    ['GET', '/v1/tasks/'],
    ['DELETE', '/v1/tasks'],
    ['PUT', `/v1/tasks/task_${'x'.repeat(32)}`],
    ['GET', `/v1/tasks/task_${'x'.repeat(32)}/cancel`],
    ['POST', '/health'],
  ])('is 404 not_found: %s %s', async (method, path) => {
    const { ask } = openDoor();
    expectProblem(await ask(path, { method }), 404, 'not_found');
  });
});

describe('what nobody expected', () => {
  it('is 500 without a word of the reason; the log has its place, and not what it says', async () => {
    const { house } = openDoor({
      wrapTasks: (tasks) => ({
        ...tasks,
        list: () => Promise.reject(new Error('the table of the house burns')),
      }),
    });
    const told: unknown[] = [];
    const log: Log = (...said) => void told.push(said);
    const headers = { authorization: 'Bearer key-of-alice' };
    const app = createApp({ ...house.ports, log }, twoOwners);
    const answer = await readAnswer(await app.request('/v1/tasks', { headers }));
    expectProblem(answer, 500, 'internal_error');
    expect(answer.text).not.toContain('table');
    const stack = expect.stringContaining('refusals.test.ts');
    expect(told).toEqual([['error', 'request failed', { error: 'Error', stack }]]);
    expect(JSON.stringify(told)).not.toContain('table');
  });
});
