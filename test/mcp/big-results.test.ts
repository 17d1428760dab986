import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { mcpResultBytesMax } from '../../functions/core/limits.ts';
import { longRows } from './instances/suite-tools.ts';
import { useStage } from './stage.ts';
import { declaring, legacy, modern, type Reply, type Wire } from './wire.ts';

let wire: Wire;
useStage('big-results', 'short', ({ url, key }) => {
  wire = { url, key: key('alice') };
});

const call = { name: 'report', arguments: {} };

async function readAll(ask: typeof modern, first: string): Promise<string> {
  let text = '';
  for (let uri: string | undefined = first; uri !== undefined;) {
    const { answer }: Reply = await ask(wire, 'resources/read', { uri });
    const [page] = answer.result.contents;
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(mcpResultBytesMax);
    text += page.text;
    uri = page._meta.next;
  }
  return text;
}

it.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
] as const)('%s: a head and a link, and the whole in pages', async (_, ask) => {
  const { result } = (await ask(wire, 'tools/call', call)).answer;
  const uri = `task://${result.structuredContent.task_id}/result`;
  expect(result.content[1]).toMatchObject({ type: 'resource_link', uri });
  expect(result.structuredContent).toMatchObject({
    status: 'completed',
    poll_after_ms: 0,
    next: expect.stringContaining(uri),
    result_uri: uri,
  });
  const whole = JSON.stringify(longRows);
  expect(result.structuredContent.result_bytes).toBe(Buffer.byteLength(whole));
  expect(whole.startsWith(result.structuredContent.result_head.slice(0, -1))).toBe(true);
  expect(JSON.stringify(result).length).toBeLessThan(mcpResultBytesMax);
  expect(await readAll(ask, uri)).toBe(whole);
});

it('is told the same inside a task, by wait_for_task and by get_task', async () => {
  const declared = { ...wire, capabilities: declaring };
  const { taskId } = (await modern(declared, 'tools/call', call)).answer.result;
  const wait = { name: 'wait_for_task', arguments: { task_id: taskId } };
  const waited = (await modern(wire, 'tools/call', wait)).answer.result.structuredContent;
  expect(waited).toMatchObject({ task_id: taskId, result_uri: `task://${taskId}/result` });
  const get = { name: 'get_task', arguments: { task_id: taskId } };
  const got = (await modern(wire, 'tools/call', get)).answer.result;
  expect(got.structuredContent).toEqual(waited);
  expect(got.content[1]).toMatchObject({ type: 'resource_link', name: 'Result of report' });
  const { result } = (await modern(declared, 'tasks/get', { taskId })).answer.result;
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: waited });
});

it('content that a tool made itself is no way round', async () => {
  const params = { name: 'letter', arguments: {} };
  const { result } = (await modern(wire, 'tools/call', params)).answer;
  expect(result).toMatchObject({ isError: true, structuredContent: { status: 'completed' } });
  expect(result.content[1]).toMatchObject({ type: 'resource_link' });
  expect(JSON.stringify(result).length).toBeLessThan(mcpResultBytesMax);
});

it.each([
  'nonsense',
  'task://x',
  'task://x/result',
  'https://example.com/',
  'task://x/result?offset=-1',
])('there is no resource %s', async (uri) => {
  const { error } = (await modern(wire, 'resources/read', { uri })).answer;
  expect(error).toMatchObject({ code: -32_602 });
});

it('a template says how results are named', async () => {
  const { resourceTemplates } = (await modern(wire, 'resources/templates/list')).answer.result;
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'task://{task_id}/result{?offset}' }]);
  expect((await legacy(wire, 'resources/list')).answer.result.resources).toEqual([]);
});

it('the v1 client, which checks every answer against the output schema, takes handle, head and result', async () => {
  const client = new OldClient({ name: 'a test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${wire.key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${wire.url}/mcp`), { requestInit }),
  );
  await client.listTools();
  const ask = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  expect(await ask('report', {})).toMatchObject({ status: 'completed' });
  const install = (duration_s: number) => ask('install_package', { package: 'zod', duration_s });
  expect(await install(0.1)).toMatchObject({ status: 'installed' });
  expect(await install(600)).toMatchObject({ status: 'working' });
  await client.close();
});
