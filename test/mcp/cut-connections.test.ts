import { serve } from '@hono/node-server';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import { holdDefaultMs } from '../../functions/core/limits.ts';
import { twoOwners } from '../api/door.ts';
import type { MemoryHouse } from '../house.ts';
import { demoHouse } from '../running-house.ts';

/** House time for one of ours, however busy the machine is: the client's own limit runs on ours. */
const haste = 10;
const inHouse = (houseMs: number) => houseMs / haste;

function letTimePass(house: MemoryHouse) {
  const stopping = new AbortController();
  const passing = (async () => {
    for (let lastMs = performance.now(); !stopping.signal.aborted;) {
      await delay(2);
      const nowMs = performance.now();
      void house.pump();
      await house.clock.advance((nowMs - lastMs) * haste);
      lastMs = nowMs;
    }
  })();
  return async () => {
    stopping.abort();
    await passing;
  };
}

/** Passes everything on, and cuts each connection when its time is up. */
async function cuttingProxy(port: number, lifeMs: number) {
  let cuts = 0;
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    const timer = setTimeout(() => {
      cuts += 1;
      cut();
    }, lifeMs);
    for (const socket of [near, far]) {
      socket.on('error', cut).on('close', () => {
        clearTimeout(timer);
        cut();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { proxy, port: (proxy.address() as AddressInfo).port, cuts: () => cuts };
}

it('a call of 60 s completes through an unmodified client that gives up after 60 s, cut every 5 s', async () => {
  const house = demoHouse({ settings: { holdMs: holdDefaultMs } });
  const { fetch } = createApp(house.ports, twoOwners);
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const stop = letTimePass(house);
  const cutting = await cuttingProxy((server.address() as AddressInfo).port, inHouse(5000));
  const client = new OldClient({ name: 'a test', version: '1' });
  // A new connection for each request: what a cut takes down is the call under way and nothing else.
  const headers = { authorization: 'Bearer key-of-alice', connection: 'close' };
  const url = new URL(`http://127.0.0.1:${cutting.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args }, undefined, { timeout: inHouse(60_000) }))
      .structuredContent as Record<string, unknown>;

  let told = await call('demo_wait', { seconds: 60 });
  expect(told).toMatchObject({ status: 'working' });
  const { task_id } = told;
  while (told.status === 'working') told = await call('wait_for_task', { task_id, timeout_s: 25 });
  expect(told).toEqual({ task_id, status: 'completed', result: { waited_s: 60 } });
  expect(cutting.cuts()).toBeGreaterThan(5);
  const runs = await house.task({ owner: 'alice', taskId: task_id } as never);
  expect(runs.claim.fence).toBe(1);

  await client.close();
  cutting.proxy.close();
  await stop();
  server.close();
});
