import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundRobin {
  readonly url: string;
  stop(): void;
}

/** One address for several instances: each request meets another one than the request before. */
export async function roundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let turn = 0;
  const server = createServer((near, answer) => {
    turn += 1;
    passOn(near, answer, ports[turn % ports.length] ?? 0);
  });
  // A connection that rests while a test computes must not close under the next request.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Without what is only about one connection of the two. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
  return rest;
}

/**
 * Whichever side goes first takes the other one with it. Each request has a connection of its own to its
 * instance: one that rested might close under it.
 */
function passOn(near: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = near;
  const to = { host: '127.0.0.1', port, method, path: url, agent: false } as const;
  const far = request({ ...to, headers: endToEnd(headers) }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, endToEnd(reply.headers));
    answer.flushHeaders();
    reply.on('error', () => answer.destroy()).pipe(answer);
  });
  far.on('error', () => answer.destroy());
  answer.on('close', () => far.destroy());
  near.pipe(far);
}
