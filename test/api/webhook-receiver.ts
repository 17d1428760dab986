import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach } from 'vitest';
import { guardedFetch } from '../../functions/adapters/guarded-fetch.ts';
import { systemClock } from '../../functions/adapters/process.ts';
import { webhookSender } from '../../functions/adapters/webhook-sender.ts';
import { openDoor, type Answer } from './door.ts';

interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** A server that takes webhooks for the tests of one file, and forgets them before each. */
export async function openReceiver(status: () => number) {
  const arrived: Arrived[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      arrived.push({ headers: request.headers, body, json: JSON.parse(body) as Arrived['json'] });
      reply.writeHead(status()).end('thanks');
    });
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    arrived.length = 0;
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return { arrived, url };
}

const outbound = webhookSender(guardedFetch({ allowLoopback: true, timeoutMs: 2000 }), systemClock);
export const options = () => ({
  outbound,
  startMs: Date.now(),
  settings: { webhookScheduleMs: [0, 1000, 1000] },
});
export const door = () => openDoor(options());

/** Virtual time does not wait for the network, so a little of the real one passes in between. */
export async function settle({ house }: Pick<ReturnType<typeof door>, 'house'>, rounds = 6) {
  for (let n = 0; n < rounds; n += 1) {
    await house.runFor(1000);
    await delay(25);
  }
}

export const itemsOf = ({ json }: Answer) => json.items as Record<string, unknown>[];
