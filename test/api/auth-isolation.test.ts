import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './door.ts';
import { openIssuer, openTokenDoor, type Issuer } from './issuer.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const neverWas = `task_${'x'.repeat(32)}`;
const whole = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.fromEntries(headers),
  text,
});
const rpc = (method: string, params: object) => ({
  json: { jsonrpc: '2.0', id: 1, method, params },
});
const call = (name: string, task_id: string) => rpc('tools/call', { name, arguments: { task_id } });

type Route = [string, (id: string) => string, (id: string) => object];
const routes: Route[] = [
  ['GET', (id) => `/v1/tasks/${id}`, () => ({})],
  ['GET with wait_s', (id) => `/v1/tasks/${id}?wait_s=25`, () => ({})],
  ['cancel', (id) => `/v1/tasks/${id}/cancel`, () => ({ method: 'POST' })],
  ['input', (id) => `/v1/tasks/${id}/input`, () => ({ json: { key: 'k', value: 1 } })],
  ['get_task', () => '/mcp', (id) => call('get_task', id)],
  ['wait_for_task', () => '/mcp', (id) => call('wait_for_task', id)],
  ['cancel_task', () => '/mcp', (id) => call('cancel_task', id)],
  ['tasks/get', () => '/mcp', (taskId) => rpc('tasks/get', { taskId })],
  ['tasks/result', () => '/mcp', (taskId) => rpc('tasks/result', { taskId })],
  ['tasks/cancel', () => '/mcp', (taskId) => rpc('tasks/cancel', { taskId })],
];

describe('with a token of somebody else', () => {
  it.each(routes)(
    '%s of a task answers like one that never was, byte for byte',
    async (_, path, init) => {
      const { ask, house } = openTokenDoor(issuer, { API_KEYS: 'carol:key-of-carol' });
      const [ann, bob] = [await issuer.mint(), await issuer.mint({ claims: { sub: 'bob' } })];
      const start = { tool: 'demo_wait', arguments: { seconds: 60 } };
      const started = await ask('/v1/tasks', ann, { json: start });
      const id = String(started.json.task_id);
      for (const other of [bob, 'key-of-carol']) {
        const foreign = await ask(path(id), other, init(id));
        expect(whole(foreign)).toEqual(whole(await ask(path(neverWas), other, init(neverWas))));
        expect(foreign.text).not.toContain(id);
        expect((await ask('/v1/tasks', other)).json).toEqual({ items: [] });
      }
      expect(house.ports.work.size).toBe(1);
      const renewed = await issuer.mint({ claims: { jti: 'another' } });
      expect((await ask(`/v1/tasks/${id}`, renewed)).json).toMatchObject({ status: 'working' });
    },
  );
});
