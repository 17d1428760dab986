import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CiProvider } from './report.ts';

/** Signed longer ago than this, or as far ahead, it is a replay or a broken clock. */
const ageMsMax = 5 * 60_000;

/** What a provider's webhooks are known by. Several of a kind while one replaces the other. */
export interface CiSecrets {
  readonly signing: readonly string[];
  /** Sent in the clear with each webhook: taken only where nothing is signed. */
  readonly tokens: readonly string[];
}

/** A webhook as it came, its bytes untouched. */
interface RawWebhook {
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/**
 * What tells this webhook from all others, once it is proven to come from its provider; undefined when it
 * is not. Only signed bytes name it: a header that nobody signed could be swapped by whoever replays it.
 */
export function verifyWebhook(
  provider: CiProvider,
  webhook: RawWebhook,
  secrets: CiSecrets,
  nowMs: number,
): string | undefined {
  const { header, body } = webhook;
  const known = (proven: boolean) => (proven ? digestOf(body) : undefined);
  switch (provider) {
    case 'github':
      return known(isHexSigned(header('x-hub-signature-256'), 'sha256=', body, secrets));
    case 'bitbucket':
      return known(isHexSigned(header('x-hub-signature'), 'sha256=', body, secrets));
    case 'circleci':
      return known(isHexSigned(header('circleci-signature'), 'v1=', body, secrets));
    case 'buildkite':
      return known(
        isTimed(header('x-buildkite-signature'), body, secrets, nowMs) ||
          isToken(header('x-buildkite-token'), secrets),
      );
    case 'gitlab':
      return (
        standardId(webhook, secrets, nowMs) ?? known(isToken(header('x-gitlab-token'), secrets))
      );
    case 'jenkins':
      return (
        standardId(webhook, secrets, nowMs) ??
        known(isToken(passwordIn(header('authorization')), secrets))
      );
    case 'generic':
      return standardId(webhook, secrets, nowMs);
  }
}

/** Hex over the raw body, alone or in a list of versions. */
function isHexSigned(
  given: string | undefined,
  prefix: string,
  body: Uint8Array,
  { signing }: CiSecrets,
): boolean {
  const signatures = (given ?? '').split(',').map((one) => one.trim());
  const expected = signing.map((secret) => `${prefix}${hmac(secret, [body], 'hex')}`);
  return anySame(signatures, expected);
}

/** Buildkite: `timestamp=<unix>,signature=<hex>` over `<unix>.<body>`. */
function isTimed(
  given: string | undefined,
  body: Uint8Array,
  { signing }: CiSecrets,
  nowMs: number,
): boolean {
  const [, time, signature] =
    /^timestamp=(\d{1,12}),signature=([0-9a-f]{64})$/.exec(given ?? '') ?? [];
  if (time === undefined || signature === undefined || !isRecent(time, nowMs)) return false;
  const expected = signing.map((secret) => hmac(secret, [`${time}.`, body], 'hex'));
  return anySame([signature], expected);
}

/** Standard Webhooks: the id is signed with the body, so both name the delivery. */
function standardId(
  { header, body }: RawWebhook,
  { signing }: CiSecrets,
  nowMs: number,
): string | undefined {
  const [id, time] = [header('webhook-id'), header('webhook-timestamp')];
  if (!id || id.length > 256 || !time || !isRecent(time, nowMs)) return undefined;
  const expected = signing
    .flatMap(keysOf)
    .map((key) => `v1,${hmac(key, [`${id}.${time}.`, body], 'base64')}`);
  const signatures = (header('webhook-signature') ?? '').split(' ');
  // The body too: a sender may use an id again, when its counting began anew.
  return anySame(signatures, expected)
    ? digestOf(Buffer.concat([Buffer.from(`${id}.`), body]))
    : undefined;
}

/** `whsec_` and base64; another text is taken as it stands, or as base64 where it is that. */
function keysOf(secret: string): readonly (string | Buffer)[] {
  const encoded = secret.replace(/^whsec_/, '');
  const decoded = Buffer.from(encoded, 'base64');
  if (encoded !== secret) return decoded.length > 0 ? [decoded] : [];
  return decoded.length >= 16 && decoded.toString('base64') === encoded
    ? [secret, decoded]
    : [secret];
}

/** Where a signing secret is set, a token proves nothing: it may have been read on its way. */
function isToken(given: string | undefined, { signing, tokens }: CiSecrets): boolean {
  if (given === undefined || signing.length > 0) return false;
  return anySame(
    [digestOf(Buffer.from(given))],
    tokens.map((token) => digestOf(Buffer.from(token))),
  );
}

/** Jenkins sends what stands before the @ of its URL as a user and a password. */
function passwordIn(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  const pair = encoded && Buffer.from(encoded, 'base64').toString('utf8');
  return pair ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

const isRecent = (time: string, nowMs: number) =>
  /^\d{1,12}$/.test(time) && Math.abs(nowMs - Number(time) * 1000) <= ageMsMax;

function hmac(
  key: string | Buffer,
  parts: readonly (string | Uint8Array)[],
  encoding: 'hex' | 'base64',
): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest(encoding);
}

/** As texts, so that no other spelling of the same bytes counts; in constant time. */
const anySame = (given: readonly string[], expected: readonly string[]): boolean =>
  given.some((one) => expected.some((other) => isSame(Buffer.from(one), Buffer.from(other))));

const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');
