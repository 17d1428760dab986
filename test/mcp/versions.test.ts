import { describe, expect, it } from 'vitest';
import { useStage } from './stage.ts';
import { legacy, modern, post, type Wire } from './wire.ts';

let wire: Wire;
useStage('versions', 'hasty', ({ url, key }) => {
  wire = { url, key: key('alice') };
});

const initialize = async (protocolVersion: string) => {
  const clientInfo = { name: 'an old one', version: '1' };
  const params = { protocolVersion, clientInfo, capabilities: {} };
  return post(wire, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
};

const speaks = (version: string): Wire => ({
  ...wire,
  headers: { 'mcp-protocol-version': version },
});
const demo = (args: Record<string, unknown>) => ({ name: 'demo_wait', arguments: args });

describe.each(['2025-06-18', '2025-03-26', '2024-11-05'])('a client of %s', (version) => {
  it('is told of no generation of tasks', async () => {
    const { result } = (await initialize(version)).answer;
    expect(result.protocolVersion).toBe(version);
    expect(result.capabilities).not.toHaveProperty('tasks');
    expect(result.capabilities).not.toHaveProperty('extensions');
    const { tools } = (await legacy(speaks(version), 'tools/list')).answer.result;
    for (const tool of tools) expect(tool).not.toHaveProperty('execution');
  });

  it('makes no task by a word it does not know, and has no methods for one', async () => {
    const params = { ...demo({ seconds: 0 }), task: {} };
    const { result } = (await legacy(speaks(version), 'tools/call', params)).answer;
    expect(result.structuredContent).toEqual({ waited_s: 0 });
    for (const method of ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel']) {
      const { error } = (await legacy(speaks(version), method, { taskId: 'x' })).answer;
      expect(error?.code).toBe(-32_601);
    }
  });

  it('reads a large result with what it knows', async () => {
    const large = demo({ seconds: 0, result_bytes: 200_000 });
    const { result } = (await legacy(speaks(version), 'tools/call', large)).answer;
    const kinds = result.content.map(({ type }: { type: string }) => type);
    expect(kinds).toEqual(version < '2025-06-18' ? ['text'] : ['text', 'resource_link']);
    expect(result.structuredContent.next).toContain('read_result');
    const { task_id } = result.structuredContent;
    for (const name of ['wait_for_task', 'get_task']) {
      const read = { name, arguments: { task_id } };
      const { content } = (await legacy(speaks(version), 'tools/call', read)).answer.result;
      expect(content).toHaveLength(kinds.length);
    }
    const rest = { name: 'read_result', arguments: { task_id, offset: 199_000 } };
    const page = (await legacy(speaks(version), 'tools/call', rest)).answer.result;
    expect(page.structuredContent.text).toMatch(/^x+"$/);
  });
});

it('a client that says its version once, when it comes, is known by it', async () => {
  const said = await initialize('2025-11-25');
  const session = { 'mcp-session-id': said.headers.get('mcp-session-id') ?? '' };
  const known: Wire = { ...wire, headers: session };
  const body = (method: string, params: object) => ({ jsonrpc: '2.0', id: 2, method, params });
  const call = body('tools/call', { ...demo({ seconds: 1 }), task: {} });
  const { task } = (await post(known, call)).answer.result;
  const ended = await post(known, body('tasks/result', { taskId: task.taskId }));
  expect(ended.answer.result.structuredContent).toEqual({ waited_s: 1 });
  // Without a word about itself it counts as one from before there were headers.
  expect((await post(wire, body('tasks/list', {}))).answer.error?.code).toBe(-32_601);
});

describe('a body of 2026-07-28 whose headers say otherwise', () => {
  const disagree = { status: 400, answer: { error: { code: -32_020 } } };
  const sent = [
    ['tools/call', { name: 'create_user', arguments: {} }],
    ['tools/call', demo({ seconds: 0 })],
    ['tasks/result', { taskId: 'x' }],
  ] as const;

  it.each(sent)('is refused where the header names 2025-11-25: %s %j', async (method, params) => {
    expect(await modern(speaks('2025-11-25'), method, params)).toMatchObject(disagree);
  });

  it.each(sent)('is refused where only the session is older: %s %j', async (method, params) => {
    const session = (await initialize('2025-11-25')).headers.get('mcp-session-id') ?? '';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } };
    const known = { ...wire, headers: { 'mcp-session-id': session } };
    expect(await post(known, body)).toMatchObject(disagree);
  });

  it.each([{ 'mcp-name': 'create_user' }, { 'mcp-method': 'tools/list' }])(
    'is refused by %j, and nothing begins',
    async (wrong) => {
      const bob = { ...wire, key: `${wire.key}-who-only-errs` };
      const call = demo({ seconds: 0 });
      for (const version of ['2025-11-25', '2026-07-28']) {
        const headers = { ...wrong, 'mcp-protocol-version': version };
        expect(await modern({ ...bob, headers }, 'tools/call', call)).toMatchObject(disagree);
      }
      expect((await legacy(bob, 'tasks/list')).answer.result).toEqual({ tasks: [] });
    },
  );
});

it.each(['text/plain', 'application/x-www-form-urlencoded'])(
  'nothing is done for a body that calls itself %s',
  async (type) => {
    const headers = { 'content-type': type };
    const version = { 'mcp-protocol-version': '2025-11-25' };
    const called = await legacy(
      { ...wire, headers: { ...headers, ...version } },
      'tools/call',
      demo({ seconds: 0 }),
    );
    const result = await legacy({ ...wire, headers: { ...headers, ...version } }, 'tasks/result', {
      taskId: 'x',
    });
    const listened = await modern({ ...wire, headers }, 'subscriptions/listen', {
      notifications: { taskIds: [] },
    });
    expect([called.status, result.status, listened.status]).toEqual([415, 415, 415]);
  },
);

it('a page of a result begins with a whole character', async () => {
  const params = demo({ seconds: 0, result: { text: '€'.repeat(30_000) } });
  const { result } = (await modern(wire, 'tools/call', params)).answer;
  const { result_uri: uri } = result.structuredContent;
  const read = async (offset: number) =>
    (await modern(wire, 'resources/read', { uri: `${uri}?offset=${offset}` })).answer.result
      .contents[0];
  for (const offset of [9, 10, 11]) {
    const page = await read(offset);
    expect(page.text.startsWith('€')).toBe(true);
    expect(page._meta.offset).toBe(9);
  }
});
