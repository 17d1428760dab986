import { timingSafeEqual } from 'node:crypto';
import { digestOfKey, prefixIdOf, type ApiKey } from '../core/api-key.ts';
import { devOwner, type Owner } from '../core/ids.ts';
import { isLoopback } from '../core/loopback.ts';
import {
  allRights,
  ownerOf,
  rightsOf,
  type OAuth,
  type Right,
  type VerifyToken,
} from '../core/oauth.ts';
import { ok, refuse, type Result } from '../core/result.ts';

/** Whoever asks, and what they may do: a key whatever its owner may, a token what it was given for. */
interface Visitor {
  readonly owner: Owner;
  readonly rights: readonly Right[];
}

/** Every route but /health and the API's own descriptions goes through one of these. */
export type Authenticate = (headers: Headers) => Promise<Result<Visitor>>;

export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];

/** API keys: found by their prefix id, then compared as digests in constant time. */
export function keyAuth(keys: readonly ApiKey[], nowMs = Date.now): Authenticate {
  const known = new Map<string, ApiKey[]>();
  for (const key of keys) {
    const id = prefixIdOf(key.digest);
    known.set(id, [...(known.get(id) ?? []), key]);
  }
  return async (headers) => {
    const given = bearerOf(headers);
    if (given === undefined)
      return unauthorized('Send your API key as "Authorization: Bearer <key>".');
    const digest = digestOfKey(given);
    const found = known.get(prefixIdOf(digest))?.find((key) => isSame(key.digest, digest));
    if (!found) return unauthorized('This API key is not known.');
    const { owner, untilMs } = found;
    if (untilMs === undefined || nowMs() < untilMs) return ok({ owner, rights: allRights });
    return unauthorized(`This API key expired on ${new Date(untilMs).toISOString()}.`);
  };
}

/** Access tokens of the one issuer that is trusted. */
export const tokenAuth =
  (oauth: OAuth, verify: VerifyToken): Authenticate =>
  async (headers) => {
    const given = bearerOf(headers);
    if (given === undefined)
      return unauthorized('Send an access token as "Authorization: Bearer <token>".');
    const token = await verify(given);
    if (!token.ok) return token;
    const { subject, scopes } = token.value;
    return ok({ owner: ownerOf(oauth.issuer, subject), rights: rightsOf(oauth, scopes) });
  };

/** Both: only what is no key of ours, but has the form of a token, is read as one. */
export const keyOrTokenAuth =
  (keys: Authenticate, tokens: Authenticate): Authenticate =>
  async (headers) => {
    const byKey = await keys(headers);
    const isToken = /^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearerOf(headers) ?? '');
    return byKey.ok || !isToken ? byKey : tokens(headers);
  };

/**
 * The development principal: no key, this machine only. The server listens on loopback, and a page of
 * another site cannot use it either: its Origin gives it away, and so does a rebound host name.
 */
export const loopbackAuth: Authenticate = async (headers) =>
  isLoopback(`http://${headers.get('host') ?? ''}`)
    ? ok({ owner: devOwner, rights: allRights })
    : refuse({ reason: 'forbidden_host' });

const unauthorized = (detail: string) => refuse({ reason: 'unauthorized', detail });
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));
