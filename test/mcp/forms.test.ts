import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { declaring, modern, type Wire } from './wire.ts';

let stage: Stage;
let wire: Wire;
useStage('forms', 'long', (opened) => {
  stage = opened;
  const capabilities = { ...declaring, elicitation: {} };
  wire = { url: stage.url, key: stage.key('alice'), capabilities };
});

const nested = { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] };

type Content = Record<string, string | number | boolean | string[]>;

/** What a tool asks for, what a person writes into the form of it, and what the tool hears. */
const asked: [schema: object, written: Content, heard: unknown][] = [
  [{}, {}, {}],
  [{ type: 'object', properties: { a: { type: 'string' } } }, { a: 'b' }, { a: 'b' }],
  [{ type: 'string', minLength: 3 }, { value: 'main' }, 'main'],
  [{ type: 'integer' }, { value: 3 }, 3],
  [{ enum: ['a', 'b'] }, { value: 'b' }, 'b'],
  [{ type: 'array', items: { type: 'string', enum: ['x', 'y'] } }, { value: ['x'] }, ['x']],
  [{ type: 'array', items: { type: 'number' } }, { value: '[1,2]' }, [1, 2]],
  [nested, { value: '{"a":{"b":1}}' }, { a: { b: 1 } }],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { value: 'main' }, 'main'],
];
const call = { name: 'interview', arguments: { asks: asked.map(([schema]) => schema) } };
const all = { heard: asked.map(([, , content]) => ({ action: 'accept', content })) };

const answer = ({ message }: { readonly message: string }) => ({
  action: 'accept' as const,
  content: asked[Number(/\d+/.exec(message)?.[0])]?.[1] ?? { value: 'main' },
});
const door = () => new URL(`${stage.url}/mcp`);
const options = () => ({ requestInit: { headers: { authorization: `Bearer ${wire.key}` } } });

async function oldClient() {
  const client = new OldClient(
    { name: 'claude-code', version: '1' },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params));
  await client.connect(new OldTransport(door(), options()));
  await client.listTools();
  return client;
}

async function newClient() {
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => answer(params));
  await client.connect(new StreamableHTTPClientTransport(door(), options()));
  return client;
}

describe('whatever a tool asks for is put as a form that official clients take', () => {
  it('v1: within a plain call', async () => {
    const client = await oldClient();
    expect((await client.callTool(call)).structuredContent).toEqual(all);
    await client.close();
  });

  it('v1: within a task', async () => {
    const client = await oldClient();
    const task = { ttl: 60_000 };
    const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task });
    let last: unknown;
    for await (const message of stream) last = message;
    expect(last).toMatchObject({ type: 'result', result: { structuredContent: all } });
    await client.close();
  });

  it('v2: within a plain call, and before it begins', async () => {
    const client = await newClient();
    expect((await client.callTool(call)).structuredContent).toEqual(all);
    const first = { name: 'interview', arguments: { first: ['branch'], asks: [] } };
    const { structuredContent } = await client.callTool(first);
    expect(structuredContent).toMatchObject({ branch: 'main', heard: [] });
    await client.close();
  });
});

describe('a task of 2026-07-28 that asks for more than a form', () => {
  const reached = async (taskId: string, status: string) => {
    for (;;) {
      const { result } = (await modern(wire, 'tasks/get', { taskId })).answer;
      expect(isDetailedTaskV2(result)).toBe(true);
      if (result.status === status) return result;
      await stage.clock.sleep(300);
    }
  };
  const start = async (schema: object) => {
    const params = { name: 'interview', arguments: { asks: [schema] } };
    const { taskId } = (await modern(wire, 'tools/call', params)).answer.result;
    return { taskId, asking: await reached(taskId, 'input_required') };
  };
  const say = async (taskId: string, content: unknown) => {
    const inputResponses = { q0: { action: 'accept', content } };
    return (await modern(wire, 'tasks/update', { taskId, inputResponses })).answer;
  };

  it('says so in its form, and takes no answer but one that fits its own schema', async () => {
    const { taskId, asking } = await start(nested);
    expect(asking.inputRequests.q0.params.requestedSchema).toMatchObject({
      properties: { value: { type: 'string', description: expect.stringContaining('"a"') } },
      required: ['value'],
    });
    for (const wrong of [{}, { value: 'no json' }, { value: '{"a":1}' }, { value: '"a"' }]) {
      expect((await say(taskId, wrong)).error).toMatchObject({ code: -32_602 });
    }
    await say(taskId, { value: '{"a":{}}' });
    const { result } = await reached(taskId, 'completed');
    expect(result.structuredContent.heard).toEqual([{ action: 'accept', content: { a: {} } }]);
  });

  it('takes the value itself as well, from who answers by program', async () => {
    const { taskId } = await start(nested);
    await say(taskId, { a: { b: 2 } });
    const { result } = await reached(taskId, 'completed');
    expect(result.structuredContent.heard).toMatchObject([{ content: { a: { b: 2 } } }]);
  });

  it('checks a plain value too', async () => {
    const { taskId } = await start({ type: 'string', minLength: 3 });
    expect((await say(taskId, { value: 'ab' })).error).toMatchObject({ code: -32_602 });
    await say(taskId, { value: 'main' });
    await reached(taskId, 'completed');
  });
});
