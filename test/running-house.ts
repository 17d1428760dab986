import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../functions/api/app.ts';
import type { Authenticate } from '../functions/api/auth.ts';
import type { MemoryHouse } from './house.ts';

export { demoHouse } from './house.ts';

const tickMs = 2;
/** House time passes about this much faster than ours, and slower where the machine is busy. */
const haste = 20;

/**
 * A worker at the queue and a clock that runs, until stopped. With a haste of its own it runs exactly so
 * much faster, however busy the machine is.
 */
export function letTimePass(house: MemoryHouse, exactly?: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const passing = (async () => {
    for (let lastMs = performance.now(); !stopping.signal.aborted;) {
      const nowMs = performance.now();
      void house.pump();
      await house.clock.advance(
        exactly === undefined ? tickMs * haste : (nowMs - lastMs) * exactly,
      );
      lastMs = nowMs;
      await delay(tickMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await passing;
    },
  };
}

export interface RunningHouse {
  readonly url: string;
  stop(): Promise<void>;
}

/** The house behind a real port, with time passing. */
export async function serveHouse(
  house: MemoryHouse,
  authenticate: Authenticate,
): Promise<RunningHouse> {
  const { fetch } = createApp(house.ports, authenticate);
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const passing = letTimePass(house);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await passing.stop();
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
