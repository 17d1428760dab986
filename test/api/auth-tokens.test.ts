import { SignJWT, UnsecuredJWT } from 'jose';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerOf } from '../../functions/core/oauth.ts';
import { isOwnerName } from '../../functions/core/ids.ts';
import {
  inSeconds,
  metadataUrl,
  openIssuer,
  openTokenDoor,
  publicUrl,
  resource,
  type Issuer,
  type Minting,
} from './issuer.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const challenge = (more = '') =>
  `Bearer ${more}resource_metadata="${metadataUrl}", scope="tasks:read tasks:write"`;

describe('an access token', () => {
  it('of the issuer, for this server, lets its subject in', async () => {
    const { ask } = openTokenDoor(issuer);
    const token = await issuer.mint();
    expect((await ask('/v1/tasks', token)).status).toBe(200);
    const started = await ask('/v1/tasks', token, {
      json: { tool: 'demo_wait', arguments: { seconds: 1 } },
    });
    expect(started.status).toBe(202);
  });

  const others: [string, Minting][] = [
    ['with one audience among several', { claims: { aud: ['https://other.example', resource] } }],
    ['with scopes in a list', { claims: { scope: undefined, scp: ['tasks:read'] } }],
    ['that names no key, where there is one', { header: { kid: undefined } }],
  ];
  it.each(others)('%s is taken too', async (_, minting) => {
    const { ask } = openTokenDoor(issuer);
    expect((await ask('/v1/tasks', await issuer.mint(minting))).status).toBe(200);
  });

  it('that has just expired is taken too: clocks differ a little', async () => {
    const { ask } = openTokenDoor(issuer);
    const token = await issuer.mint({ claims: { exp: inSeconds(-1) } });
    expect((await ask('/v1/tasks', token)).status).toBe(200);
  });

  const flaws: [string, Minting, RegExp][] = [
    ['for another audience', { claims: { aud: publicUrl } }, /not issued for this server/],
    ['for no audience', { claims: { aud: undefined } }, /not issued for this server/],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, /not from the issuer/],
    ['of no issuer', { claims: { iss: undefined } }, /not from the issuer/],
    ['that has expired', { claims: { exp: inSeconds(-60) } }, /has expired/],
    ['that never expires', { claims: { exp: undefined } }, /not valid\./],
    ['that is not valid yet', { claims: { nbf: inSeconds(600) } }, /not valid yet/],
    ['without a subject', { claims: { sub: undefined } }, /not valid\./],
    ['with an empty subject', { claims: { sub: '' } }, /not valid\./],
    ['with an unknown key id', { header: { kid: 'two' } }, /not valid\./],
    ['signed by a stranger', { stranger: true }, /not valid\./],
    ['with a critical header nobody knows', { header: { crit: ['x'], x: 1 } }, /not valid\./],
  ];
  it.each(flaws)('%s is 401', async (_, minting, said) => {
    const { ask } = openTokenDoor(issuer);
    const answer = await ask('/v1/tasks', await issuer.mint(minting));
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(answer.json.detail).toMatch(said);
    expect(answer.headers.get('www-authenticate')).toBe(challenge('error="invalid_token", '));
  });

  const claims = () => ({ iss: issuer.url, aud: resource, sub: 'ann', exp: inSeconds(300) });
  const forgeries: [string, () => Promise<string> | string][] = [
    ['without a signature', () => new UnsecuredJWT(claims()).encode()],
    [
      'signed with the public key as if it were a shared secret',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(new TextEncoder().encode(issuer.publicPem)),
    ],
    [
      'whose claims were changed',
      async () => {
        const [header, , signature] = (await issuer.mint()).split('.');
        const forged = Buffer.from(JSON.stringify({ ...claims(), sub: 'bob' }));
        return `${header}.${forged.toString('base64url')}.${signature}`;
      },
    ],
    ['whose signature was cut', async () => (await issuer.mint()).slice(0, -8)],
    ['without its last part', async () => (await issuer.mint()).split('.').slice(0, 2).join('.')],
    ['that is none', () => 'token'],
    ['of empty parts', () => '..'],
  ];
  it.each(forgeries)('%s is 401', async (_, forge) => {
    const { ask } = openTokenDoor(issuer);
    const answer = await ask('/v1/tasks', await forge());
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it.each(['/v1/tasks', '/mcp'])(
    'that is missing is 401 on %s and told where to get one',
    async (path) => {
      const answer = await openTokenDoor(issuer).ask(path);
      expect(answer).toMatchObject({ status: 401, type: 'application/problem+json' });
      expect(answer.headers.get('www-authenticate')).toBe(challenge());
    },
  );

  it('is never taken from a query', async () => {
    const { ask } = openTokenDoor(issuer);
    const token = await issuer.mint();
    for (const path of ['/v1/tasks', '/mcp']) {
      expect((await ask(`${path}?access_token=${token}`)).status).toBe(401);
      const twice = await ask(`${path}?access_token=${token}`, token);
      expect(twice).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(twice.text).not.toContain(token);
    }
  });

  it('may stand beside API keys, and neither is taken for the other', async () => {
    const { ask } = openTokenDoor(issuer, { API_KEYS: 'alice:key-of-alice,bob:a.b.c' });
    const said = async (token: string) => (await ask('/v1/tasks', token)).status;
    expect(await said('key-of-alice')).toBe(200);
    expect(await said('a.b.c')).toBe(200);
    expect(await said(await issuer.mint())).toBe(200);
    expect(await said(await issuer.mint({ stranger: true }))).toBe(401);
    const unknown = await ask('/v1/tasks', 'key-of-carol');
    expect(unknown).toMatchObject({ status: 401, json: { detail: 'This API key is not known.' } });
    expect(unknown.headers.get('www-authenticate')).toBe(challenge('error="invalid_token", '));
  });
});

describe('the owner of a token', () => {
  it.each(['ann', 'auth0|507f1f77', 'x'.repeat(300), 'a#b', '..', 'Ünï'])(
    'is a name that fits into a key, for the subject %j',
    (subject) => {
      const owner = ownerOf(issuer.url, subject);
      expect(isOwnerName(owner)).toBe(true);
      expect(ownerOf(issuer.url, subject)).toBe(owner);
      expect(ownerOf('https://other.example', subject)).not.toBe(owner);
    },
  );

  it('is never that of an API key by the same name', async () => {
    const { ask } = openTokenDoor(issuer, { API_KEYS: 'ann:key-of-ann' });
    await ask('/v1/tasks', 'key-of-ann', {
      json: { tool: 'demo_wait', arguments: { seconds: 9 } },
    });
    expect((await ask('/v1/tasks', await issuer.mint())).json).toEqual({ items: [] });
  });
});

describe("the issuer's keys", () => {
  it('are asked of the issuer once, and not for what is no token of its kind', async () => {
    const { ask } = openTokenDoor(issuer);
    issuer.asked.length = 0;
    await ask('/v1/tasks', 'token');
    await ask('/v1/tasks', new UnsecuredJWT({}).encode());
    expect(issuer.asked).toEqual([]);
    const token = await issuer.mint();
    for (let n = 0; n < 3; n += 1) await ask('/v1/tasks', token);
    for (const kid of ['x', 'y']) await ask('/v1/tasks', await issuer.mint({ header: { kid } }));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('may be named by a setting', async () => {
    const { ask } = openTokenDoor(issuer, { OAUTH_JWKS_URL: `${issuer.url}/jwks` });
    issuer.asked.length = 0;
    expect((await ask('/v1/tasks', await issuer.mint())).status).toBe(200);
    expect(issuer.asked).toEqual(['/jwks']);
  });

  it('are found by OpenID Connect, under a path too', async () => {
    const url = `${issuer.url}/tenant/`;
    const metadata = { issuer: url, jwks_uri: `${issuer.url}/jwks` };
    issuer.documents.set('/tenant/.well-known/openid-configuration', metadata);
    const { ask } = openTokenDoor({ url });
    expect((await ask('/v1/tasks', await issuer.mint({ claims: { iss: url } }))).status).toBe(200);
  });

  it.each([
    ['is of another issuer', { issuer: 'https://evil.example', jwks_uri: '/jwks' }],
    ['leads over an open line', { jwks_uri: 'http://evil.example/jwks' }],
    ['says nothing', {}],
  ])('let nobody in when what the issuer says of itself %s', async (_, metadata) => {
    const url = `${issuer.url}/odd`;
    issuer.documents.set('/odd/.well-known/openid-configuration', { issuer: url, ...metadata });
    const { ask, house } = openTokenDoor({ url });
    const token = await issuer.mint({ claims: { iss: url } });
    const answer = await ask('/v1/tasks', token);
    expect(answer).toMatchObject({ status: 500, json: { code: 'internal_error' } });
    expect(JSON.stringify(house.facts)).not.toContain(token);
  });

  it('let nobody in while the issuer does not answer, and everybody once it does', async () => {
    const url = `${issuer.url}/late`;
    const { ask } = openTokenDoor({ url });
    const token = await issuer.mint({ claims: { iss: url } });
    expect((await ask('/v1/tasks', token)).status).toBe(500);
    const metadata = { issuer: url, jwks_uri: `${issuer.url}/jwks` };
    issuer.documents.set('/late/.well-known/openid-configuration', metadata);
    expect((await ask('/v1/tasks', token)).status).toBe(200);
  });

  it('are not fetched from where the issuer sends on to', async () => {
    const server = createServer((_, response) => {
      response.writeHead(302, { location: `${issuer.url}/jwks` }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { OAUTH_JWKS_URL: `http://127.0.0.1:${port}/jwks` };
    expect((await openTokenDoor(issuer, env).ask('/v1/tasks', await issuer.mint())).status).toBe(
      500,
    );
    server.close();
  });
});
