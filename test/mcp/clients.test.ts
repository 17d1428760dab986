import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingGuidance } from '../../functions/core/guidance.ts';
import { useStage, type Stage } from './stage.ts';
import {
  connectInspector,
  connectV1,
  connectV2,
  type Connect,
  type McpClient,
  type ToolAnswer,
} from './mcp-clients.ts';

let stage: Stage;
useStage('clients', 'open', (opened) => void (stage = opened));

/** The tools as the other door of the house lists them. */
async function toolsOverHttp(): Promise<readonly { name: string; long_running: boolean }[]> {
  const { items } = (await (await fetch(`${stage.url}/v1/tools`)).json()) as { items: [] };
  return items;
}

/** The same JSON twice: for programs, and as text for clients that read only that. */
function structured(answer: ToolAnswer): Record<string, unknown> {
  expect(answer.isError ?? false).toBe(false);
  expect(answer.content).toHaveLength(1);
  const { structuredContent = {}, content } = answer;
  expect(JSON.parse(String(content[0]?.text))).toEqual(structuredContent);
  return structuredContent;
}

const handleFields = ['task_id', 'status', 'poll_after_ms', 'next'];

const clients: [string, Connect][] = [
  ['the v1 client', connectV1],
  ['the v2 client', connectV2('legacy', '2025-11-25')],
  ['the v2 client that negotiates 2026-07-28', connectV2('auto', '2026-07-28')],
  ['the Inspector', connectInspector],
];

describe.each(clients)('%s', (_, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(`${stage.url}/mcp`);
  });
  afterAll(() => client.close());

  it.concurrent(
    'lists the tools in a fixed order, each long-running one with the guidance',
    async () => {
      const tools = await client.listTools();
      const own = await toolsOverHttp();
      expect(tools.map(({ name }) => name)).toEqual(own.map(({ name }) => name));
      const guided = tools.filter(({ description }) => description?.endsWith(waitingGuidance));
      const long = own.filter((tool) => tool.long_running && tool.name !== 'picky');
      expect(guided.map(({ name }) => name)).toEqual(long.map(({ name }) => name));
      for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object' });
      const install = guided.find(({ name }) => name === 'install_package');
      const either = [{ required: ['status', 'package', 'stages'] }, { required: handleFields }];
      expect(install?.outputSchema).toMatchObject({ type: 'object', anyOf: either });
    },
  );

  it.concurrent('gets the result of a quick tool', async () => {
    const ann = { name: 'Ann', email: 'ann@example.com' };
    const created = structured(await client.call('create_user', ann));
    expect(created).toEqual({ id: expect.stringMatching(/^user_/), ...ann });
  });

  it.concurrent(
    'gets the result inline when a long-running tool ends within the grace time',
    async () => {
      const answer = await client.call('install_package', { package: 'left', duration_s: 0.4 });
      expect(structured(answer)).toMatchObject({ status: 'installed', package: 'left' });
    },
  );

  it.concurrent('gets a handle from a longer one, and its result from wait_for_task', async () => {
    const handle = structured(await client.call('demo_wait', { seconds: 12 }));
    expect(handle).toEqual({
      task_id: expect.stringMatching(/^task_/),
      status: 'working',
      poll_after_ms: 1000,
      next: expect.stringContaining('call wait_for_task'),
    });
    expect(handle.next).toContain(`"${String(handle.task_id)}"`);
    const { task_id } = handle;
    expect(structured(await client.call('wait_for_task', { task_id, timeout_s: 25 }))).toEqual({
      task_id,
      status: 'completed',
      result: { waited_s: 12 },
    });
  });

  it.concurrent('is told which argument is wrong', async () => {
    for (const tool of ['create_user', 'install_package']) {
      const args = { name: 'Ann', email: 'nope', package: 'left', duration_s: 5000 };
      const answer = await client.call(tool, args);
      expect(answer.isError).toBe(true);
      const field = tool === 'create_user' ? 'email' : 'duration_s';
      expect(answer.content[0]?.text).toMatch(new RegExp(`the tool ${tool}: ${field}: .+`));
    }
  });

  it.concurrent('gets a protocol error for an unknown tool', async () => {
    await expect(client.call('creat_user', {})).rejects.toThrow(/creat_user/);
  });
});

describe('a call over MCP', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connectV1(`${stage.url}/mcp`);
  });
  afterAll(() => client.close());

  it('says why a quick or a long-running tool failed', async () => {
    const quick = await client.call('read_user', { id: 'user_0' });
    expect(quick).toMatchObject({
      isError: true,
      content: [{ text: 'There is no user with the id "user_0".' }],
    });
    const long = await client.call('demo_wait', { seconds: 0, outcome: 'fatal' });
    expect(long).toMatchObject({
      isError: true,
      content: [{ text: 'tool_failed: demo_wait was told to fail for good.' }],
    });
  });

  it('gives a result that is no object as text only', async () => {
    const answer = await client.call('demo_wait', { seconds: 0, result: [1, 2] });
    expect(answer.content).toEqual([{ type: 'text', text: '[1,2]' }]);
    expect(answer).not.toHaveProperty('structuredContent');
  });

  it('starts, lists, reads and cancels tasks by ordinary tools', async () => {
    const call = async (tool: string, args: Record<string, unknown>) =>
      structured(await client.call(tool, args));
    const start = { tool: 'demo_wait', arguments: { seconds: 3000 } };
    const { task_id } = await call('start_task', start);
    const { items } = await call('list_tasks', { limit: 1 });
    expect(items).toMatchObject([{ task_id, tool: 'demo_wait' }]);
    expect(await call('wait_for_task', { task_id, timeout_s: 1 })).toMatchObject({
      task_id,
      status: 'working',
      next: expect.any(String),
    });
    expect(await call('cancel_task', { task_id })).toMatchObject({ status: 'cancelled' });
    expect(await call('get_task', { task_id })).toMatchObject({ status: 'cancelled' });
    const again = await client.call('cancel_task', { task_id });
    expect(again).toMatchObject({
      isError: true,
      content: [{ text: 'The task has already ended: cancelled.' }],
    });
  });
});

describe.each(clients.slice(0, 3))('two owners with %s', (_, connect) => {
  it('do not know the handles of one another', async () => {
    const mcp = `${stage.hastyUrl}/mcp`;
    const [alice, bob] = [
      await connect(mcp, stage.key('alice')),
      await connect(mcp, stage.key('bob')),
    ];
    const start = { tool: 'demo_wait', arguments: { seconds: 3000 } };
    const { task_id } = structured(await alice.call('start_task', start));
    const neverWas = `task_${'x'.repeat(32)}`;
    for (const tool of ['wait_for_task', 'get_task', 'cancel_task']) {
      const foreign = await bob.call(tool, { task_id });
      expect(foreign.isError).toBe(true);
      expect(foreign).toEqual(await bob.call(tool, { task_id: neverWas }));
    }
    expect(structured(await bob.call('list_tasks'))).toEqual({ items: [] });
    expect(structured(await alice.call('get_task', { task_id }))).toMatchObject({ task_id });
    await Promise.all([alice.close(), bob.close()]);
  });

  it('need a key', async () => {
    await expect(connect(`${stage.hastyUrl}/mcp`)).rejects.toThrow(/401|unauthorized/i);
    await expect(connect(`${stage.hastyUrl}/mcp`, 'nobody')).rejects.toThrow(/401|unauthorized/i);
  });
});
