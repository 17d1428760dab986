import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedFetch, type Resolved } from '../../functions/adapters/guarded-fetch.ts';
import { isPublicAddress } from '../../functions/adapters/public-address.ts';
import { canary, type Canary } from '../notify/receiver.ts';

const post = (url: string) => ({ url, headers: {}, body: '{}' });
const four = (address: string): Resolved => ({ address, family: 4 });
const six = (address: string): Resolved => ({ address, family: 6 });

/** Hosts as literals, in every notation that a URL takes. */
const literalHosts = [
  '127.0.0.1 127.1 127.0.1 2130706433 0x7f.1 0x7f000001 0177.0.0.1 017700000001 0x7f.0x0.0x0.0x1',
  '127.255.255.254 0.0.0.0 0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1',
  '169.254.169.254 169.254.170.2 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.1.1',
  '100.64.0.1 100.100.100.200 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1',
  '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1 127.0.0.1.',
  '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::127.0.0.1] [::7f00:1]',
  '[64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a00:1] [2002:7f00:1::1]',
  '[2002:a9fe:a9fe::] [2001:0:7f00:1::1] [2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fe80::1] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1] [2001:db8::1] [100::1] [3fff::1]',
  '[2001:4860:4860:0:0:5efe:7f00:1] [::ffff:0:127.0.0.1] [0:0:0:0:0:ffff:7f00:1] [2001:20::1]',
  '①②⑦.⓪.⓪.① 127。0。0。1',
]
  .join(' ')
  .split(' ');

/** Names, and what they resolve to. */
const names: Readonly<Record<string, readonly Resolved[]>> = {
  localhost: [four('127.0.0.1'), six('::1')],
  'localhost.': [four('127.0.0.1')],
  'ip6-localhost.example': [six('::1')],
  'metadata.google.internal': [four('169.254.169.254')],
  'mixed-private.example': [four('93.184.215.14'), four('10.0.0.1')],
  'mixed-loopback.example': [six('2606:2800:21f:cb07::1'), four('127.0.0.1')],
  'mapped.example': [six('::ffff:127.0.0.1')],
  'mapped-hex.example': [six('::ffff:7f00:1')],
  'nat64.example': [six('64:ff9b::7f00:1')],
  'ula.example': [six('fd00:ec2::254')],
  'zero.example': [four('0.0.0.0')],
  'empty.example': [],
};

/** Wrong before anybody is asked. */
const wrongUrls = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'data:text/plain,hello',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com:22/',
  'https://example.com:80/',
  'https://example.com:9001/',
  'https://127.0.0.1:9001/2018-06-01/runtime/invocation/next',
  'https://example.com@127.0.0.1/',
  '//example.com/',
  'not a url',
  '',
  `https://example.com/${'x'.repeat(2048)}`,
];

describe('the guarded way out', () => {
  let hears: Canary;
  let hearsSix: Canary | undefined;

  beforeAll(async () => {
    hears = await canary('0.0.0.0');
    hearsSix = await canary('::1', hears.port).catch(() => undefined);
  });
  afterAll(async () => {
    await Promise.all([hears.stop(), hearsSix?.stop()]);
  });

  const heard = () => hears.connections + (hearsSix?.connections ?? 0);
  const resolve = async (host: string) => names[host] ?? [];
  /** As strict as in production, but the canary's port is allowed: only the address can save us. */
  const guard = () => guardedFetch({ ports: [hears.port, 443, 8443], resolve, timeoutMs: 2000 });

  it('hears a connection when one is made', async () => {
    const open = guardedFetch({ allowLoopback: true, timeoutMs: 2000 });
    await open.post(post(`http://127.0.0.1:${hears.port}/`));
    expect(heard()).toBe(1);
  });

  it('reaches none of many targets, and refuses each of them beforehand', async () => {
    const hosts = [...literalHosts, ...Object.keys(names)];
    const urls = hosts.map((host) => `https://${host}:${hears.port}/`);
    const targets = [...urls, ...wrongUrls];
    expect(targets.length).toBeGreaterThanOrEqual(60);
    const before = heard();
    for (const url of targets) {
      expect([url, await guard().check(url)]).toEqual([url, expect.any(String)]);
      const { kind } = await guard().post(post(url));
      expect([url, kind]).toEqual([url, expect.stringMatching(/^(refused|not resolved)$/)]);
    }
    expect(heard()).toBe(before);
  });

  it('reaches nothing but loopback over http in local mode', async () => {
    const local = guardedFetch({ allowLoopback: true, resolve, timeoutMs: 2000 });
    const before = heard();
    for (const host of ['0.0.0.0', '10.0.0.1', '169.254.169.254', '[::ffff:7f00:1]', 'a.example']) {
      const url = `http://${host}:${hears.port}/`;
      expect([url, await local.check(url)]).toEqual([url, expect.any(String)]);
      expect([url, (await local.post(post(url))).kind]).toEqual([url, 'refused']);
    }
    // The name of this machine, but somebody made it lead elsewhere.
    const lying = guardedFetch({ allowLoopback: true, resolve: async () => [four('10.0.0.1')] });
    expect(await lying.check('http://localhost:8080/')).toEqual(expect.any(String));
    expect(heard()).toBe(before);
  });

  it('does not connect to a name that has changed its mind', async () => {
    let asked = 0;
    const rebinding = async () => {
      asked += 1;
      return [four(asked === 1 ? '93.184.215.14' : '127.0.0.1')];
    };
    const guarded = guardedFetch({ ports: [hears.port], resolve: rebinding, timeoutMs: 2000 });
    const before = heard();
    const url = `https://rebind.example:${hears.port}/`;
    expect(await guarded.check(url)).toBeUndefined();
    expect((await guarded.post(post(url))).kind).toBe('refused');
    expect([asked, heard() - before]).toEqual([2, 0]);
  });

  it('connects to the very addresses that it looked at', async () => {
    let asked = 0;
    const once = async () => {
      asked += 1;
      // A second look would lead elsewhere.
      return asked === 1 ? [four('127.0.0.1')] : [four('127.0.0.2')];
    };
    const guarded = guardedFetch({ allowLoopback: true, resolve: once, timeoutMs: 2000 });
    const before = heard();
    await guarded.post(post(`http://localhost:${hears.port}/`));
    expect([asked, heard() - before]).toEqual([1, 1]);
  });

  it('takes public addresses', async () => {
    for (const address of ['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450::1'])
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    const open = guardedFetch({ resolve: async () => [four('93.184.215.14')] });
    expect(await open.check('https://example.com/webhooks?a=b')).toBeUndefined();
    expect(await open.check('https://example.com:8443/')).toBeUndefined();
  });
});

const largeBytes = 10 * 1024 * 1024;

describe('a reply', () => {
  let server: Server;
  let base: string;
  let redirected = 0;
  let written = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const writeLarge = (reply: ServerResponse): void => {
    while (written < largeBytes && !reply.destroyed) {
      written += chunk.length;
      if (!reply.write(chunk)) return void reply.once('drain', () => writeLarge(reply));
    }
    reply.end();
  };

  beforeAll(async () => {
    server = createServer((request, reply) => {
      request.resume();
      const replies: Readonly<Record<string, () => unknown>> = {
        '/ok': () => reply.writeHead(204).end(),
        '/redirect': () => reply.writeHead(302, { location: `${base}/target` }).end(),
        '/target': () => {
          redirected += 1;
          reply.writeHead(200).end();
        },
        '/later': () => reply.writeHead(429, { 'retry-after': '120' }).end(),
        '/hangs': () => undefined,
        '/trickle': () => reply.writeHead(200).write('x'),
        '/switch': () =>
          request.socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
          ),
        '/reset': () => request.socket.resetAndDestroy(),
        '/large': () => writeLarge(reply.writeHead(200)),
      };
      replies[request.url ?? '']?.();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const local = guardedFetch({ allowLoopback: true, timeoutMs: 400 });

  it.each([
    ['/ok', { kind: 'answered', status: 204, retryAfter: undefined }],
    ['/redirect', { kind: 'answered', status: 302, retryAfter: undefined }],
    ['/later', { kind: 'answered', status: 429, retryAfter: '120' }],
    ['/hangs', { kind: 'timed out' }],
    ['/trickle', { kind: 'answered', status: 200, retryAfter: undefined }],
    ['/switch', { kind: 'answered', status: 101, retryAfter: undefined }],
    ['/reset', { kind: 'unreachable' }],
    ['/large', { kind: 'answered', status: 200, retryAfter: undefined }],
  ])('%s', async (path, answer) => {
    expect(await local.post(post(`${base}${path}`))).toEqual(answer);
  });

  it('is not followed, and not read to its end', () => {
    expect(redirected).toBe(0);
    expect(written).toBeLessThan(largeBytes);
  });

  it('that never comes from a port nobody has is no answer', async () => {
    expect(await local.post(post('http://127.0.0.1:1/'))).toEqual({ kind: 'unreachable' });
  });
});
