import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';

let stage: Stage;
useStage('cut-connections', 'long', (opened) => void (stage = opened), true);
const inHouse = (houseMs: number) => houseMs / stage.haste;

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
  const cutting = await cuttingProxy(Number(new URL(stage.url).port), inHouse(5000));
  const client = new OldClient({ name: 'a test', version: '1' });
  // A new connection for each request: what a cut takes down is the call under way and nothing else.
  const headers = { authorization: `Bearer ${stage.key('alice')}`, connection: 'close' };
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
  expect(await call('get_task', { task_id })).toMatchObject({ attempt: 1 });

  await client.close();
  cutting.proxy.close();
});
