import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metadataUrl, openIssuer, openTokenDoor, resource, type Issuer } from './issuer.ts';
import { openDoor } from './door.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const withScope = (scope: string) => issuer.mint({ claims: { scope } });
const start = { tool: 'demo_wait', arguments: { seconds: 60 } };
const call = (name: string, args = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const rpc = (message: object) => ({ json: { jsonrpc: '2.0', id: 1, ...message } });
const neverWas = `task_${'x'.repeat(32)}`;
const wait = { name: 'wait_for_task', arguments: { task_id: neverWas } };
/** A call that goes on where it asked its user, with what they said or without. */
const goOn = (answers: object) =>
  rpc({ method: 'tools/call', params: { ...wait, requestState: 'sealed', ...answers } });
const approved = { inputResponses: { approve: { action: 'accept', content: { approve: true } } } };

const lacking = (needed: string, told: string) => ({
  status: 403,
  type: 'application/problem+json',
  json: {
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    code: 'insufficient_scope',
    detail: `The access token lacks the scope ${needed}.`,
  },
  told: `Bearer error="insufficient_scope", resource_metadata="${metadataUrl}", scope="${told}"`,
});

type Door = ReturnType<typeof openTokenDoor>;
async function asking(door: Door, scope: string, path: string, init: Parameters<Door['ask']>[2]) {
  const { headers, status, type, json } = await door.ask(path, await withScope(scope), init);
  return { status, type, json, told: headers.get('www-authenticate') };
}

describe('a token for looking', () => {
  it.each([
    ['/v1/tasks', {}],
    ['/v1/tools', {}],
    ['/mcp', rpc({ method: 'tools/list' })],
    ['/mcp', rpc(call('list_tasks'))],
    ['/mcp', rpc(call('get_task', { task_id: neverWas }))],
    ['/mcp', goOn({})],
  ])('may look: %s %j', async (path, init) => {
    expect((await asking(openTokenDoor(issuer), 'tasks:read', path, init)).status).toBe(200);
  });

  it.each([
    ['/v1/tasks', { json: start }],
    [`/v1/tasks/${neverWas}/cancel`, { method: 'POST' }],
    [`/v1/tasks/${neverWas}/input`, { json: { key: 'k', value: 1 } }],
    ['/v1/anything', { method: 'DELETE' }],
    // Whoever has this secret signs as we do.
    ['/v1/webhooks/secret', {}],
    ['/mcp', rpc(call('start_task', start))],
    ['/mcp', rpc(call('create_user', {}))],
    ['/mcp', rpc({ method: 'tools/call' })],
    ['/mcp', rpc({ method: 'tasks/cancel', params: { taskId: neverWas } })],
    ['/mcp', rpc({ method: 'tasks/update', params: { taskId: neverWas } })],
    ['/mcp', rpc({ method: 'something/new' })],
    ['/mcp', rpc({ result: { action: 'accept' } })],
    ['/mcp', goOn(approved)],
    ['/mcp', { json: [{ method: 'tasks/get', params: approved }] }],
    ['/mcp', { json: [{ method: 'tools/list' }, call('create_user')] }],
    ['/mcp', { json: [] }],
    ['/mcp', { json: null }],
    ['/mcp', { method: 'POST', body: '{' }],
  ])('may change nothing: %s %j', async (path, init) => {
    const door = openTokenDoor(issuer);
    const answer = await asking(door, 'openid tasks:read', path, init);
    expect(answer).toEqual(lacking('tasks:write', 'tasks:read tasks:write'));
    expect(door.house.ports.work.size).toBe(0);
  });
});

describe('a token without the scope for looking', () => {
  it.each(['', 'openid', 'tasks:reader xtasks:read', 'TASKS:READ'])(
    'sees nothing: %j',
    async (scope) => {
      const answer = await asking(openTokenDoor(issuer), scope, '/v1/tasks', {});
      expect(answer).toEqual(lacking('tasks:read', 'tasks:read'));
    },
  );

  it('may still change', async () => {
    const door = openTokenDoor(issuer);
    expect((await asking(door, 'tasks:write', '/v1/tasks', { json: start })).status).toBe(202);
    const answer = await asking(door, 'tasks:write', '/v1/tasks', {});
    expect(answer).toEqual(lacking('tasks:read', 'tasks:read tasks:write'));
  });
});

describe('OAUTH_SCOPES', () => {
  it('names the scopes as the issuer does', async () => {
    const door = openTokenDoor(issuer, { OAUTH_SCOPES: 'api/look api/change' });
    const said = async (scope: string, init = {}) =>
      (await asking(door, scope, '/v1/tasks', init)).status;
    expect(await said('api/look')).toBe(200);
    expect(await said('api/look', { json: start })).toBe(403);
    expect(await said('api/change', { json: start })).toBe(202);
    expect(await said('tasks:read tasks:write')).toBe(403);
  });

  it('with one name lets it do both', async () => {
    const door = openTokenDoor(issuer, { OAUTH_SCOPES: 'boomerang' });
    expect((await asking(door, 'boomerang', '/v1/tasks', { json: start })).status).toBe(202);
    const { headers } = await door.ask('/v1/tasks');
    expect(headers.get('www-authenticate')).toContain('scope="boomerang"');
  });
});

describe('the metadata of RFC 9728', () => {
  const paths = ['', '/mcp'].map((door) => `/.well-known/oauth-protected-resource${door}`);

  it.each(paths)('is at %s for anybody', async (path) => {
    const answer = await openTokenDoor(issuer).ask(path);
    expect(answer).toMatchObject({ status: 200, type: 'application/json' });
    expect(answer.json).toEqual({
      resource,
      authorization_servers: [issuer.url],
      scopes_supported: ['tasks:read', 'tasks:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Boomerang',
    });
  });

  it('names the address of the door, whatever the audience is', async () => {
    const door = openTokenDoor(issuer, { OAUTH_AUDIENCE: 'api://boomerang' });
    expect((await door.ask(paths[1] ?? '')).json).toMatchObject({ resource });
    const said = async (aud: string) =>
      (await door.ask('/v1/tasks', await issuer.mint({ claims: { aud } }))).status;
    expect(await said('api://boomerang')).toBe(200);
    expect(await said(resource)).toBe(401);
  });

  it.each(paths)('is not at %s where tokens are not taken', async (path) => {
    expect(await openDoor().ask(path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });
});
