import { createHash, timingSafeEqual } from 'node:crypto';
import { asOwner, type Owner } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';

/** Who asks. Every route but /health and the API's own description goes through one of these. */
export type Authenticate = (headers: Headers) => Result<Owner>;

export interface OwnerKey {
  readonly owner: Owner;
  readonly key: string;
}

/** Bearer keys, compared as digests in constant time and without stopping at the first match. */
export function keyAuth(keys: readonly OwnerKey[]): Authenticate {
  const known = keys.map(({ owner, key }) => ({ owner, digest: sha256(key) }));
  return (headers) => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (given === undefined)
      return unauthorized('Send your API key as "Authorization: Bearer <key>".');
    const digest = sha256(given);
    let owner: Owner | undefined;
    for (const entry of known) if (timingSafeEqual(entry.digest, digest)) owner = entry.owner;
    return owner ? ok(owner) : unauthorized('This API key is not known.');
  };
}

/**
 * The development principal: no key, this machine only. The server listens on loopback, and a page of
 * another site cannot use it either: its Origin gives it away, and so does a rebound host name.
 */
export const loopbackAuth: Authenticate = (headers) => {
  const origin = headers.get('origin');
  const fromHere = isLoopback(`http://${headers.get('host') ?? ''}`);
  if (fromHere && (origin === null || isLoopback(origin))) return ok(asOwner('dev'));
  return unauthorized('Without API_KEYS only requests to and from this machine are answered.');
};

export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

const unauthorized = (detail: string) => refuse({ reason: 'unauthorized', detail });
const sha256 = (text: string) => createHash('sha256').update(text).digest();
