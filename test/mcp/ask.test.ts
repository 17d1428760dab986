import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { declaring, legacy, modern, type Wire } from './wire.ts';

/** Two instances that share only what is stored; every request meets the other one. */
let stage: Stage;
let urls: readonly string[];
let key: string;
let requestInit: { headers: Record<string, string> };
useStage('ask', 'long', (opened) => {
  stage = opened;
  urls = [stage.url, stage.elsewhere];
  key = stage.key('alice');
  requestInit = { headers: { authorization: `Bearer ${key}` } };
});

let turn = 0;
const next = () => String(urls[(turn += 1) % urls.length]);
const wire = (over: Partial<Wire> = {}): Wire => ({
  url: next(),
  key,
  capabilities: { ...declaring, elicitation: {} },
  ...over,
});
const call = { name: 'delete_all_users', arguments: {} };
const yes = { action: 'accept', content: { approve: true } };
const done = { status: 'deleted', deleted: expect.any(Number) };

async function reached(taskId: string, status: string) {
  for (;;) {
    const { result } = (await modern(wire(), 'tasks/get', { taskId })).answer;
    expect(isDetailedTaskV2(result)).toBe(true);
    if (result.status === status) return result;
    await stage.clock.sleep(300);
  }
}

const update = (taskId: string, inputResponses: unknown, over: Partial<Wire> = {}) =>
  modern(wire(over), 'tasks/update', { taskId, inputResponses });

describe('a task that asks, for a client of 2026-07-28', () => {
  it('shows what it asks, takes the answer from tasks/update, and ends', async () => {
    const { taskId } = (await modern(wire(), 'tools/call', call)).answer.result;
    const { inputRequests } = await reached(taskId, 'input_required');
    expect(inputRequests).toMatchObject({
      approve: {
        method: 'elicitation/create',
        params: { mode: 'form', requestedSchema: { required: ['approve'] } },
      },
    });
    const strange = await update(taskId, { other: 'yes', another: yes });
    expect(strange.answer.result).toMatchObject({ resultType: 'complete' });
    for (const approve of ['yes', null, [], true, { result: yes }, { action: 'yes' }, {}]) {
      const { error } = (await update(taskId, { approve })).answer;
      expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('approve') });
    }
    const wrong = await update(taskId, { approve: { action: 'accept', content: {} } });
    expect(wrong.answer.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('approve'),
    });
    const foreign = await update(taskId, { approve: yes }, { key: stage.key('bob') });
    expect(foreign.answer.error?.code).toBe(-32_602);
    await reached(taskId, 'input_required');
    expect((await update(taskId, { approve: yes })).answer.result.resultType).toBe('complete');
    const now = (await modern(wire(), 'tasks/get', { taskId })).answer.result;
    expect(now).not.toHaveProperty('inputRequests');
    const again = await update(taskId, { approve: { action: 'decline' } });
    expect(again.answer.result).toMatchObject({ resultType: 'complete' });
    const { result } = await reached(taskId, 'completed');
    expect(result.structuredContent).toEqual(done);
  });

  it('is heard of by whoever listens', async () => {
    const { taskId } = (await modern(wire(), 'tools/call', call)).answer.result;
    const listening = modern(wire(), 'subscriptions/listen', {
      notifications: { taskIds: [taskId] },
    });
    await reached(taskId, 'input_required');
    await update(taskId, { approve: { action: 'decline' } });
    const told = (await listening).messages.map(({ params }) => params?.status);
    expect(told).toContain('input_required');
    expect(told).toContain('completed');
  });

  it('sends a client without tasks back with the question', async () => {
    const elicitor = { capabilities: { elicitation: {} } };
    const { result } = (await modern(wire(elicitor), 'tools/call', call)).answer;
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { approve: { method: 'elicitation/create' } },
    });
    const { requestState } = result;
    const more = { ...call, requestState, inputResponses: { approve: yes } };
    const ended = (await modern(wire(elicitor), 'tools/call', more)).answer.result;
    expect(ended.structuredContent).toEqual(done);
  });
});

describe('a client of 2026-07-28 without tasks that can ask its user', () => {
  const elicitor = { capabilities: { elicitation: {} } };
  const send = async (params: Record<string, unknown>) =>
    (await modern(wire(elicitor), 'tools/call', params)).answer.result;

  it('is asked by wait_for_task too', async () => {
    const start = { name: 'start_task', arguments: { tool: call.name, arguments: {} } };
    const { task_id } = (await send(start)).structuredContent;
    const wait = { name: 'wait_for_task', arguments: { task_id } };
    const { requestState, inputRequests } = await send(wait);
    expect(inputRequests).toHaveProperty('approve');
    const more = { ...wait, requestState, inputResponses: { approve: yes } };
    expect((await send(more)).structuredContent).toMatchObject({ task_id, result: done });
  });

  it('may think as long as it likes, and gets the result all the same', async () => {
    const { requestState } = await send(call);
    await stage.clock.sleep(60_000);
    const more = { ...call, requestState, inputResponses: { approve: yes } };
    expect((await send(more)).structuredContent).toEqual(done);
  });

  it('learns that its task has ended when its user answers too late', async () => {
    const brief = { name: 'short_interview', arguments: { asks: [{}] } };
    const { requestState } = await send(brief);
    await stage.clock.sleep(60_000);
    const inputResponses = { q0: { action: 'accept', content: {} } };
    expect(await send({ ...brief, requestState, inputResponses })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('timed_out') }],
    });
  });
});

describe('an official client that can ask its user', () => {
  it('v1: is asked within a task, answers on another instance, and gets the result', async () => {
    const { client, asked } = await oldClient();
    await client.listTools();
    const kinds: string[] = [];
    const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, {
      task: { ttl: 60_000 },
    });
    let result: unknown;
    for await (const message of stream) {
      kinds.push(message.type);
      if (message.type === 'result') result = message.result;
    }
    expect(asked).toEqual(['Delete every user? This cannot be undone.']);
    expect(kinds[0]).toBe('taskCreated');
    expect(result).toMatchObject({ structuredContent: done });
    await client.close();
  });

  it('v1: is asked within a plain call', async () => {
    const { client, asked } = await oldClient();
    const answer = await client.callTool(call);
    expect(answer.structuredContent).toEqual(done);
    expect(asked).toHaveLength(1);
    await client.close();
  });

  it.each(['legacy', 'auto'] as const)('v2 (%s): is asked within a plain call', async (mode) => {
    const client = new Client(
      { name: 'a test', version: '1' },
      {
        capabilities: { elicitation: {} },
        ...(mode === 'auto' ? { versionNegotiation: { mode } } : {}),
      },
    );
    client.setRequestHandler('elicitation/create', async () => ({ ...yes, action: 'accept' }));
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${next()}/mcp`), {
        requestInit,
        fetch: (_url, init) => fetch(`${next()}/mcp`, init),
      }),
    );
    expect((await client.callTool(call)).structuredContent).toEqual(done);
    await client.close();
  });
});

describe('a client that cannot ask', () => {
  it.each([
    ['modern', {}],
    ['modern', { elicitation: { url: {} } }],
    ['legacy', {}],
  ] as const)('is given a handle that says how to answer (%s, %o)', async (era, capabilities) => {
    const send = era === 'modern' ? modern : legacy;
    const plain = { capabilities };
    const asking = { seconds: 0, ask: { key: 'go', message: 'Shall it?' } };
    const params = { name: 'demo_wait', arguments: asking };
    const { answer } = await send(wire(plain), 'tools/call', params);
    const handle = answer.result.structuredContent;
    expect(handle).toMatchObject({
      status: 'input_required',
      next: expect.stringContaining('answer_task'),
      input_requests: [{ key: 'go' }],
    });
    const said = { task_id: handle.task_id, key: 'go', value: { sure: true } };
    const taken = await send(wire(plain), 'tools/call', { name: 'answer_task', arguments: said });
    expect(taken.answer.result.structuredContent).toMatchObject({ status: 'working' });
    const waited = await send(wire(plain), 'tools/call', {
      name: 'wait_for_task',
      arguments: { task_id: handle.task_id },
    });
    const result = { waited_s: 0, answer: { sure: true } };
    expect(waited.answer.result.structuredContent).toMatchObject({ result });
  });

  it('cannot approve in the place of its user', async () => {
    const plain = { capabilities: {} };
    const handle = (await modern(wire(plain), 'tools/call', call)).answer.result.structuredContent;
    const { task_id } = handle;
    expect(handle).toMatchObject({
      status: 'input_required',
      next: expect.stringContaining(`POST /v1/tasks/${task_id}/input`),
      input_requests: [{ key: 'approve', for: 'user' }],
    });
    const said = { key: 'approve', value: { approve: true } };
    const byModel = { name: 'answer_task', arguments: { task_id, ...said } };
    const refused = (await modern(wire(plain), 'tools/call', byModel)).answer.result;
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Only the user can answer this') }],
    });
    const headers = { ...requestInit.headers, 'content-type': 'application/json' };
    const body = JSON.stringify(said);
    const input = `${next()}/v1/tasks/${task_id}/input`;
    expect((await fetch(input, { method: 'POST', headers, body })).status).toBe(202);
    const wait = { name: 'wait_for_task', arguments: { task_id } };
    const waited = (await modern(wire(plain), 'tools/call', wait)).answer.result;
    expect(waited.structuredContent).toMatchObject({ result: done });
  });
});

async function oldClient() {
  const asked: string[] = [];
  const client = new OldClient(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { approve: true } };
  });
  await client.connect(
    new OldTransport(new URL(`${next()}/mcp`), {
      requestInit,
      fetch: (_url, init) => fetch(`${next()}/mcp`, init),
    }),
  );
  return { client, asked };
}
