import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOAuth } from '../../functions/adapters/access-settings.ts';
import { readApiKeys } from '../../functions/adapters/api-keys.ts';
import { tokenVerifier } from '../../functions/adapters/token-verifier.ts';
import { createApp } from '../../functions/api/app.ts';
import { keyAuth, keyOrTokenAuth, tokenAuth } from '../../functions/api/auth.ts';
import { demoHouse } from '../running-house.ts';
import { readAnswer, type Answer } from './door.ts';

/** An authorization server on this machine, as far as a resource server sees one. */

export const publicUrl = 'https://boomerang.example';
export const resource = `${publicUrl}/mcp`;
export const metadataUrl = `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
export const inSeconds = (s: number) => Math.floor(Date.now() / 1000) + s;

export interface Minting {
  /** Undefined leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the issuer never published. */
  readonly stranger?: boolean;
}

export async function openIssuer() {
  const [own, strange] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwks = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig' }] };
  const asked: string[] = [];
  const documents = new Map<string, unknown>([['/jwks', jwks]]);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const found = documents.get(path);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  documents.set('/.well-known/oauth-authorization-server', {
    issuer: url,
    jwks_uri: `${url}/jwks`,
  });

  const mint = ({ claims = {}, header = {}, stranger = false }: Minting = {}) =>
    new SignJWT({
      iss: url,
      aud: resource,
      sub: 'ann',
      scope: 'tasks:read tasks:write',
      iat: inSeconds(0),
      exp: inSeconds(300),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign((stranger ? strange : own).privateKey, { crit: { x: true } });

  return {
    url,
    asked,
    documents,
    mint,
    publicPem: await exportSPKI(own.publicKey),
    close: () => void server.close(),
  };
}

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;

/** The API over a memory house that takes the tokens of an issuer, and two keys where they are wanted. */
export function openTokenDoor(issuer: Pick<Issuer, 'url'>, env: Record<string, string> = {}) {
  const house = demoHouse();
  const oauth = readOAuth({ OAUTH_ISSUER: issuer.url, ...env }, { publicUrl });
  if (!oauth) throw new Error('An issuer is set.');
  const tokens = tokenAuth(oauth, tokenVerifier(oauth));
  const keys = readApiKeys(env.API_KEYS);
  const authenticate = keys.length > 0 ? keyOrTokenAuth(keyAuth(keys), tokens) : tokens;
  const app = createApp(house.ports, authenticate, { oauth });
  const ask = async (
    path: string,
    token?: string,
    { json, ...init }: RequestInit & { json?: unknown } = {},
  ): Promise<Answer> => {
    const answer = await app.request(path, {
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(init.headers as Record<string, string>),
      },
    });
    return readAnswer(await withoutFrames(answer));
  };
  return { ask, oauth, house };
}

/** MCP may answer with a stream of one message; what it says is compared without its frame. */
async function withoutFrames(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const messages = (await answer.text()).split('\n').filter((line) => /^data: ?\{/.test(line));
  return new Response(messages.join('').replace(/^data: ?/, ''), answer);
}
