import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { useStage } from './stage.ts';

/** Official clients as they come: nothing about tasks, and every call gets its result. */
let url: URL;
let requestInit: RequestInit;
useStage('official-clients', 'short', (stage) => {
  url = new URL(`${stage.url}/mcp`);
  requestInit = { headers: { authorization: `Bearer ${stage.key('alice')}` } };
});

const call = (seconds: number) => ({
  name: 'demo_wait',
  arguments: { seconds, progress: Math.ceil(seconds) },
});

/** Known to be patient: it is held over several connections, or sent back several times. */
const who = { name: 'claude-code', version: '1' };

it('the v1 client comes back for its call by itself, and hears how far it is', async () => {
  const client = new OldClient(who);
  await client.connect(new OldTransport(url, { requestInit }));
  const told: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
  const answer = await client.callTool(call(18), undefined, { onprogress });
  expect(answer.structuredContent).toEqual({ waited_s: 18 });
  expect(told.length).toBeGreaterThan(3);
  expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b));
  await client.close();
});

it.each(['legacy', 'auto'] as const)('so does the v2 client (%s)', async (mode) => {
  const client = new Client(who, mode === 'auto' ? { versionNegotiation: { mode } } : {});
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const answer = await client.callTool(call(18));
  expect(answer.structuredContent).toEqual({ waited_s: 18 });
  await client.close();
});
