import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { eventIdsIn, comeBack, legacy, type Wire } from './wire.ts';

let stage: Stage;
let wire: Wire;
let client: OldClient;
useStage('legacy-tasks', 'hasty', async (opened) => {
  stage = opened;
  wire = { url: stage.url, key: stage.key('alice') };
  client = new OldClient({ name: 'a test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${wire.key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${wire.url}/mcp`), { requestInit }),
  );
  await client.listTools();
});
afterAll(() => client.close());

/** As the official client drives a task: create, poll, fetch the result. */
async function drive(args: Record<string, unknown>) {
  const kinds: string[] = [];
  const params = { name: 'demo_wait', arguments: args };
  const options = { task: { ttl: 60_000 } };
  let last: unknown;
  for await (const each of client.experimental.tasks.callToolStream(
    params,
    CallToolResultSchema,
    options,
  )) {
    kinds.push(each.type);
    last = each;
  }
  return { kinds, last };
}

const start = async (args: Record<string, unknown>) => {
  const params = { name: 'demo_wait', arguments: args, task: {} };
  return (await legacy(wire, 'tools/call', params)).answer.result;
};

const demo = (seconds: number) => ({ name: 'demo_wait', arguments: { seconds }, task: {} });

describe('a client of 2025-11-25', () => {
  it('is told of its tasks and not of the extension', async () => {
    const capabilities = client.getServerCapabilities();
    expect(capabilities?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    expect(capabilities).not.toHaveProperty('extensions');
    const { tools } = await client.listTools();
    const support = Object.fromEntries(
      tools.map(({ name, execution }) => [name, execution?.taskSupport]),
    );
    expect(support).toMatchObject({ demo_wait: 'optional', create_user: undefined });
  });

  it('drives a task to its result', async () => {
    const { kinds, last } = await drive({ seconds: 2, result: { a: 1 } });
    expect(kinds[0]).toBe('taskCreated');
    expect(last).toMatchObject({ type: 'result', result: { structuredContent: { a: 1 } } });
  });

  it('reads what the tool said of its failure', async () => {
    const { last } = await drive({ seconds: 0, outcome: 'fatal' });
    const result = { isError: true, content: [{ text: expect.stringContaining('told to fail') }] };
    expect(last).toMatchObject({ type: 'result', result });
  });

  it('reads why no task was made of its call', async () => {
    const { kinds, last } = await drive({ seconds: 'many' });
    expect(kinds).toEqual(['error']);
    expect(last).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('seconds') },
    });
    const _meta = { 'claudecode/toolUseId': 'toolu_of_one_task' };
    const made = await legacy({ ...wire, meta: _meta }, 'tools/call', demo(1));
    expect(made.answer.result).toHaveProperty('task');
    const other = await legacy({ ...wire, meta: _meta }, 'tools/call', demo(2));
    expect(other.answer.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('other arguments'),
    });
  });

  it('waits for a result as long as it takes, on one connection or several', async () => {
    const { task, _meta } = await start({ seconds: 80, result: { a: 1 } });
    expect(task).toMatchObject({ status: 'working', ttl: expect.any(Number), pollInterval: 1000 });
    expect(_meta['io.modelcontextprotocol/model-immediate-response']).toContain(task.taskId);
    const first = await legacy(wire, 'tasks/result', { taskId: task.taskId });
    expect(first.messages).toEqual([]);
    const second = await comeBack(wire, String(eventIdsIn(first.text).at(-1)));
    expect(second.answer).toMatchObject({
      id: 7,
      result: {
        structuredContent: { a: 1 },
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
      },
    });
  });

  it('gets an error as the result of a task that was lost', async () => {
    const { task } = await start({ seconds: 0, outcome: 'crash_once', idempotent: false });
    let reply = await legacy(wire, 'tasks/result', { taskId: task.taskId });
    while (reply.messages.length === 0) {
      reply = await comeBack(wire, String(eventIdsIn(reply.text).at(-1)));
    }
    expect(reply.answer.error).toMatchObject({
      code: -32_603,
      message: expect.stringContaining('outcome_unknown'),
    });
  });

  it('lists its tasks in pages, newest first', async () => {
    for (let count = 0; count < 25; count += 1) await start({ seconds: 3000 });
    const page = await client.experimental.tasks.listTasks();
    expect(page.tasks).toHaveLength(20);
    const next = await client.experimental.tasks.listTasks(page.nextCursor);
    expect(next.tasks.length).toBeGreaterThanOrEqual(5);
    const bob = await legacy({ ...wire, key: stage.key('bob') }, 'tasks/list');
    expect(bob.answer.result).toEqual({ tasks: [] });
    const wrong = await legacy(wire, 'tasks/list', { cursor: 'nonsense' });
    expect(wrong.answer.error).toMatchObject({ code: -32_602 });
  });

  it('cancels a task once', async () => {
    const { task } = await start({ seconds: 3000 });
    const cancelled = await client.experimental.tasks.cancelTask(task.taskId);
    expect(cancelled).toMatchObject({ taskId: task.taskId, status: 'cancelled' });
    const again = await legacy(wire, 'tasks/cancel', { taskId: task.taskId });
    expect(again.answer.error).toMatchObject({ code: -32_602 });
  });

  it('cannot make a task of a quick tool', async () => {
    const params = { name: 'list_users', arguments: {}, task: {} };
    const refused = await legacy(wire, 'tools/call', params);
    expect(refused.answer.error).toMatchObject({ code: -32_601 });
  });

  it('has no use for the words of 2026-07-28', async () => {
    const { task } = await start({ seconds: 3000 });
    const update = await legacy(wire, 'tasks/update', { taskId: task.taskId });
    expect(update.answer.error).toMatchObject({ code: -32_601 });
  });
});
