import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launch, newFolder, npmStart, onProcesses } from '../local/npm-start.ts';
import { comeBack, declaring, eventIdsIn, legacy, modern, type Wire } from './wire.ts';

/** Three processes that share nothing but the engines; every request goes to the next of them. */
it('any instance goes on where another left off', onProcesses, async (test) => {
  const folder = newFolder(test);
  const engines = launch(test, 'local/engines-main.ts', { DATA_DIR: join(folder, 'engines') });
  const [, printed = ''] = await engines.says(/^([^]*)^ready\n/m);
  const lines = printed.trimEnd().split('\n');
  const shared = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  const env = { ...shared, DATA_DIR: join(folder, 'unused'), GRACE_MS: '200', HOLD_MS: '1500' };
  const started = await Promise.all([1, 2, 3].map(() => npmStart(test, env)));
  const urls = started.map(({ url }) => url);
  let turn = 0;
  const next = () => String(urls[(turn += 1) % urls.length]);
  const wire = (over: Partial<Wire> = {}): Wire => ({
    url: next(),
    capabilities: declaring,
    ...over,
  });
  const demo = (seconds: number) => ({ name: 'demo_wait', arguments: { seconds } });

  // 2026-07-28: made here, read there, cancelled elsewhere, and heard of anywhere.
  const { taskId } = (await modern(wire(), 'tools/call', demo(1))).answer.result;
  const heard = await modern(wire(), 'subscriptions/listen', {
    notifications: { taskIds: [taskId] },
  });
  expect(heard.messages.at(-2)?.params).toMatchObject({ taskId, status: 'completed' });
  const read = await modern(wire(), 'tasks/get', { taskId });
  expect(read.answer.result).toMatchObject({ result: { structuredContent: { waited_s: 1 } } });
  const long = (await modern(wire(), 'tools/call', demo(300))).answer.result.taskId;
  await modern(wire(), 'tasks/cancel', { taskId: long });
  const cancelled = await modern(wire(), 'tasks/get', { taskId: long });
  expect(cancelled.answer.result.status).toBe('cancelled');

  // A sealed leg, and a sealed place in a stream.
  const follower = { client: 'claude-code', capabilities: {} };
  let { result } = (await modern(wire(follower), 'tools/call', demo(2.5))).answer;
  expect(result.resultType).toBe('input_required');
  while (result.resultType === 'input_required') {
    const again = { ...demo(2.5), requestState: result.requestState };
    ({ result } = (await modern(wire(follower), 'tools/call', again)).answer);
  }
  expect(result.structuredContent).toEqual({ waited_s: 2.5 });
  const cut = await legacy(wire({ cutAfterMs: 100 }), 'tools/call', demo(1));
  const rest = await comeBack(wire(), String(eventIdsIn(cut.text).at(-1)));
  expect(rest.answer.result.structuredContent).toEqual({ waited_s: 1 });

  // Asked by one, answered through another, and carried on by any.
  const question = { seconds: 0, ask: { key: 'go', message: 'Shall it?' } };
  const asking = { name: 'demo_wait', arguments: question };
  const asked = (await modern(wire(), 'tools/call', asking)).answer.result.taskId;
  const now = async () => (await modern(wire(), 'tasks/get', { taskId: asked })).answer.result;
  const soon = { timeout: 10_000 };
  await expect.poll(async () => (await now()).status, soon).toBe('input_required');
  const inputResponses = { go: { action: 'accept', content: { sure: true } } };
  await modern(wire(), 'tasks/update', { taskId: asked, inputResponses });
  await expect.poll(async () => (await now()).status, soon).toBe('completed');
  const { structuredContent } = (await now()).result;
  expect(structuredContent).toEqual({ waited_s: 0, answer: { sure: true } });

  // The v1 client, none of whose requests meets the process of the one before.
  const client = new OldClient({ name: 'a test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${next()}/mcp`), {
    fetch: (_url, init) => fetch(`${next()}/mcp`, init),
  });
  await client.connect(transport);
  await client.listTools();
  const kinds: string[] = [];
  const stream = client.experimental.tasks.callToolStream(demo(1), CallToolResultSchema, {
    task: {},
  });
  for await (const message of stream) {
    kinds.push(message.type);
    if (message.type !== 'result') continue;
    expect(message.result).toMatchObject({ structuredContent: { waited_s: 1 } });
  }
  expect(kinds.at(-1)).toBe('result');
  await client.close();
});
