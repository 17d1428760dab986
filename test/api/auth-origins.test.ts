import { describe, expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import type { Access } from '../../functions/api/access.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { demoHouse } from '../running-house.ts';
import { twoOwners } from './door.ts';

/** The house of the tests is at https://boomerang.example. */
const doors = ['/health', '/openapi.json', '/v1/tasks', '/v1/nowhere', '/mcp', '/nowhere'];
const key = { authorization: 'Bearer key-of-alice' };

async function ask(
  path: string,
  headers: Record<string, string>,
  access: Access = {},
  ports = demoHouse().ports,
) {
  const authenticate = access.loopbackOnly ? loopbackAuth : twoOwners;
  const app = createApp(ports, authenticate, access);
  return app.request(path, { headers: { ...key, ...headers } });
}

async function codeOf(answer: Response) {
  const type = answer.headers.get('content-type') ?? '';
  const { code } = (type.includes('json') ? await answer.json() : {}) as { code?: string };
  return { status: answer.status, code };
}

const strange = [
  'https://evil.example',
  'http://boomerang.example',
  'https://boomerang.example.evil.example',
  'https://boomerang.example:8443',
  'https://evil.example#https://boomerang.example',
  'null',
  'file://',
  '*',
  '',
];

describe('a page of another site', () => {
  it.each(doors)('is turned away at %s', async (path) => {
    const answer = await ask(path, { host: 'api.example', origin: 'https://evil.example' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      code: 'forbidden_origin',
      detail: 'Pages of this origin are not answered. ALLOWED_ORIGINS names those that are.',
    });
  });

  it.each(strange)('is turned away by its origin %j, whatever the host', async (origin) => {
    for (const host of ['api.example', '127.0.0.1:3000', 'boomerang.example:80']) {
      const answer = await ask('/v1/tasks', { host, origin });
      expect(await codeOf(answer)).toEqual({ status: 403, code: 'forbidden_origin' });
    }
  });

  it('is turned away before its key is looked at', async () => {
    const answer = await ask('/v1/tasks', { origin: 'https://evil.example', authorization: '' });
    expect(answer.status).toBe(403);
  });
});

describe('a page that may ask', () => {
  it.each([
    ['of the address the house goes by', 'api.example', 'https://boomerang.example'],
    ['of this machine asking this machine', '127.0.0.1:3000', 'http://localhost:5173'],
  ])('is one %s', async (_, host, origin) => {
    expect((await ask('/v1/tasks', { host, origin })).status).toBe(200);
  });

  it('is not one of the host it asks, which may be a name that was led here', async () => {
    for (const host of ['rebound.example', 'rebound.example:3000']) {
      const answer = await ask('/v1/tasks', { host, origin: `http://${host}` });
      expect(await codeOf(answer)).toEqual({ status: 403, code: 'forbidden_origin' });
    }
  });

  it.each(['api.example', 'api.example:8443'])(
    'is one of the host it asks where the house does not know its address: %s',
    async (host) => {
      const { ports } = demoHouse();
      const unknown = { ...ports, settings: { ...ports.settings, publicUrl: '' } };
      const said = async (origin: string) =>
        (await ask('/v1/tasks', { host, origin }, {}, unknown)).status;
      expect(await said(`https://${host}`)).toBe(200);
      expect(await said('https://evil.example')).toBe(403);
    },
  );

  it('is not one of this machine asking another', async () => {
    const answer = await ask('/v1/tasks', { host: 'api.example', origin: 'http://localhost:5173' });
    expect(answer.status).toBe(403);
  });

  it('is one of ALLOWED_ORIGINS, and only that may read the answer', async () => {
    const origins = ['https://app.example', 'https://other.example'];
    const host = 'api.example';
    const answer = await ask('/v1/tasks', { host, origin: 'https://app.example' }, { origins });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toBe('Origin');
    const evil = await ask('/v1/tasks', { host, origin: 'https://evil.example' }, { origins });
    expect(evil.status).toBe(403);
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
    const own = await ask('/v1/tasks', { host, origin: 'https://boomerang.example' }, { origins });
    expect(own.status).toBe(200);
    expect(own.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('of ALLOWED_ORIGINS may ask beforehand, without a key', async () => {
    const app = createApp(demoHouse().ports, twoOwners, { origins: ['https://app.example'] });
    const preflight = (origin: string) =>
      app.request('/mcp', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
    const answer = await preflight('https://app.example');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    expect((await preflight('https://evil.example')).status).toBe(403);
  });

  it.each(doors)('is told nothing of other pages at %s by default', async (path) => {
    for (const origin of [undefined, 'https://boomerang.example']) {
      const answer = await ask(path, origin === undefined ? {} : { origin });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(names).toEqual([]);
    }
  });
});

describe('without keys, a request', () => {
  const access = { loopbackOnly: true };

  it.each(doors)('that was led here by another name is turned away at %s', async (path) => {
    const headers = { host: 'rebound.example:3000', origin: 'http://rebound.example:3000' };
    expect(await codeOf(await ask(path, headers, access))).toEqual({
      status: 403,
      code: 'forbidden_host',
    });
  });

  it.each(['127.0.0.1.evil.example', 'localhost.evil.example:3000', 'x@127.0.0.1', '0.0.0.0', ''])(
    'to the host %j is turned away',
    async (host) => {
      const answer = await ask('/v1/tasks', { host }, access);
      expect(await codeOf(answer)).toEqual({ status: 403, code: 'forbidden_host' });
    },
  );

  it.each([
    ['127.0.0.1:3000', undefined],
    ['localhost:3000', 'http://localhost:5173'],
    ['[::1]:3000', 'http://127.0.0.1:3000'],
    ['localhost:3000', 'https://app.example'],
  ])('to %s from %s is answered', async (host, origin) => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    const answer = await ask('/v1/tasks', headers, { ...access, origins: ['https://app.example'] });
    expect(answer.status).toBe(200);
  });
});
