import { lookup as lookUp } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../core/loopback.ts';
import { webhookTimeoutMs, webhookUrlMax } from '../core/webhook-limits.ts';
import { isPublicAddress } from './public-address.ts';

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

interface GuardParts {
  /** Plain http to this very machine: only where it is one's own. */
  readonly allowLoopback?: boolean;
  readonly ports?: readonly number[];
  readonly timeoutMs?: number;
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>;
}

interface GuardedPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type GuardedAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not resolved' | 'timed out' | 'unreachable' };

export interface GuardedFetch {
  /** Why a URL is refused, in a sentence; nothing when it is not. */
  check(url: string): Promise<string | undefined>;
  post(post: GuardedPost): Promise<GuardedAnswer>;
}

/** Of a reply no more is read: what it says does not matter. */
const replyBytesMax = 16 * 1024;
const resolveMsMax = 5_000;
const portsDefault = [443, 8443];

/**
 * The only way out to a URL that somebody gave us. A name is resolved by the very hook that the
 * connection asks, and every address it has must be allowed: nothing can change between look and leap.
 */
export function guardedFetch(parts: GuardParts): GuardedFetch {
  const { resolve = resolveAll } = parts;
  return {
    async check(text) {
      const target = readTarget(text, parts);
      if ('why' in target) return target.why;
      try {
        await vet(target, resolve);
        return undefined;
      } catch (thrown) {
        return isRefusal(thrown) ? thrown.message : `${target.url.hostname} does not resolve`;
      }
    },
    async post(post) {
      const target = readTarget(post.url, parts);
      if ('why' in target) return { kind: 'refused', why: target.why };
      try {
        // The hook is asked for names only.
        if (isIP(hostOf(target.url)) > 0) await vet(target, resolve);
        return await send(target, post, resolve, parts.timeoutMs ?? webhookTimeoutMs);
      } catch (thrown) {
        return answerOf(thrown);
      }
    },
  };
}

interface Target {
  readonly url: URL;
  readonly allows: (address: string) => boolean;
}

/** What can be said of a URL without asking the network. */
function readTarget(text: string, parts: GuardParts): Target | { readonly why: string } {
  const { allowLoopback = false, ports = portsDefault } = parts;
  if (text.length > webhookUrlMax) return { why: `it is longer than ${webhookUrlMax} characters` };
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return { why: 'it is not a URL' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { why: 'it carries a name or a password' };
  if (allowLoopback && url.protocol === 'http:' && isLoopback(text)) {
    return { url, allows: isLoopbackAddress };
  }
  if (url.protocol !== 'https:') return { why: 'only https is allowed' };
  const port = Number(url.port || 443);
  if (!ports.includes(port)) return { why: `port ${port} is not among ${ports.join(', ')}` };
  return { url, allows: isPublicAddress };
}

const isLoopbackAddress = (address: string) => address === '::1' || /^127(\.\d+){3}$/.test(address);

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');

async function vet(
  { url, allows }: Target,
  resolve: (host: string) => Promise<readonly Resolved[]>,
): Promise<readonly Resolved[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family > 0 ? [{ address: host, family }] : await resolve(host);
  if (addresses.length === 0) throw notResolved();
  if (!addresses.every(({ address }) => allows(address))) throw refusal();
  return addresses;
}

const resolveAll = (host: string): Promise<readonly Resolved[]> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(notResolved()), resolveMsMax).unref();
  });
  return Promise.race([lookUp(host, { all: true, verbatim: true }), late]);
};

function send(
  target: Target,
  { headers, body }: GuardedPost,
  resolve: (host: string) => Promise<readonly Resolved[]>,
  timeoutMs: number,
): Promise<GuardedAnswer> {
  const { url } = target;
  const signal = AbortSignal.timeout(timeoutMs);
  const lookup: LookupFunction = (_host, { all }, done) => {
    vet(target, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (all) done(null, [...addresses]);
        else done(null, first?.address ?? '', first?.family);
      },
      (thrown: NodeJS.ErrnoException) => done(thrown, ''),
    );
  };
  const bytes = Buffer.from(body);
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes.length },
    lookup,
    signal,
  };
  return new Promise((settle, reject) => {
    // A connection of its own each time: one that is kept would not be looked at again.
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: new Agent({ keepAlive: false }) })
        : httpRequest(url, { ...options, agent: false });
    request.on('error', reject);
    // Node leaves the connection to us, and says nothing more of the request.
    request.on('upgrade', (reply, socket) => {
      socket.destroy();
      settle({ kind: 'answered', status: reply.statusCode ?? 0, retryAfter: undefined });
    });
    request.on('response', (reply) => {
      // From here on an error, or the end of our patience, changes nothing any more.
      request.off('error', reject).on('error', () => reply.destroy());
      takeReply(reply, settle);
    });
    request.end(bytes);
  });
}

/** The status is the answer, whatever becomes of the rest. */
function takeReply(reply: IncomingMessage, settle: (answer: GuardedAnswer) => void): void {
  const retryAfter = reply.headers['retry-after'];
  const done = () => {
    settle({ kind: 'answered', status: reply.statusCode ?? 0, retryAfter });
    reply.destroy();
  };
  let bytes = 0;
  reply.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > replyBytesMax) done();
  });
  reply.on('end', done);
  reply.on('error', done);
  reply.on('close', done);
}

const refusal = () =>
  Object.assign(new Error('it leads to an address that is not public'), { code: 'EREFUSED_URL' });
const notResolved = () => Object.assign(new Error('not resolved'), { code: 'ENOTFOUND' });
const isRefusal = (thrown: unknown): thrown is Error => codeOf(thrown) === 'EREFUSED_URL';
const codeOf = (thrown: unknown) =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

function answerOf(thrown: unknown): GuardedAnswer {
  if (isRefusal(thrown)) return { kind: 'refused', why: thrown.message };
  if (thrown instanceof Error && /^(Abort|Timeout)Error$/.test(thrown.name)) {
    return { kind: 'timed out' };
  }
  const isUnknown = /^(ENOTFOUND|EAI_\w+|ENODATA)$/.test(codeOf(thrown));
  return { kind: isUnknown ? 'not resolved' : 'unreachable' };
}
