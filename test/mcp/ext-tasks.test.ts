import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  toolDeclarationFromMcpTool,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useStage } from './stage.ts';
import { post, tasksExtension } from './wire.ts';

/** Sessions of the official tasks client, in both generations. */
let url: string;
let key: string;
const clientInfo = { name: 'a test', version: '1' };
const clientCapabilities = { elicitation: {}, extensions: { [tasksExtension]: {} } };
const protocolVersion = '2026-07-28';

useStage('ext-tasks', 'hasty', (stage) => {
  url = stage.url;
  key = stage.key('alice');
});

async function connect(mode: 'auto' | 'legacy'): Promise<TaskEnabledSession> {
  const client = new Client(clientInfo, {
    capabilities: { elicitation: {} },
    ...(mode === 'auto' ? { versionNegotiation: { mode } } : {}),
  });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const door = new URL(`${url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(door, { requestInit }));
  const declared = (await client.listTools()).tools.map(toolDeclarationFromMcpTool);
  const tools = { currentTool: (name: string) => declared.find((tool) => tool.name === name) };
  const options = { endpointId: 'a test', tools, onInputRequest: approving };
  if (mode === 'legacy') return createTaskSessionFromClient(client, options);
  const v2RequestFraming = { protocolVersion, clientInfo, clientCapabilities };
  return createTaskSessionFromClient(client, { ...options, rawDispatch, v2RequestFraming });
}

/** A person who is asked says yes. */
const approving = createApplicationInputHandler({
  elicitation: () => ({ action: 'accept', content: { approve: true } }),
  sampling: () => Promise.reject(new Error('Nobody asks for this.')),
  roots: () => Promise.reject(new Error('Nobody asks for this.')),
});

/** What the SDK's client would refuse to pass on goes over the wire as it is. */
const rawDispatch: NonNullable<
  Parameters<typeof createTaskSessionFromClient>[1]['rawDispatch']
> = async (request) => {
  const { method, params } = request as { method: string; params: Record<string, string> };
  const name = params.name ?? params.taskId ?? '';
  const headers = {
    'mcp-protocol-version': protocolVersion,
    'mcp-method': method,
    'mcp-name': name,
  };
  const body = { jsonrpc: '2.0', id: 1, ...(request as object) };
  return (await post({ url, key, headers }, body)).answer as never;
};

describe.each(['auto', 'legacy'] as const)('an ext-tasks session (%s)', (mode) => {
  let session: TaskEnabledSession;
  beforeAll(async () => {
    session = await connect(mode);
  });
  afterAll(() => session.close());

  const run = async (name: string, args: Record<string, string | number>) => {
    const execution = await session.callTool(name, args, { task: { preference: 'prefer' } });
    const { outcome } = await execution.settle();
    return resultFromTaskOutcome(outcome);
  };

  it('gets the result of a task', async () => {
    const result = await run('demo_wait', { seconds: 3 });
    expect(result).toMatchObject({ structuredContent: { waited_s: 3 } });
  });

  it('gets what a tool said of its failure', async () => {
    const result = await run('demo_wait', { seconds: 0, outcome: 'fatal' });
    expect(result).toMatchObject({ isError: true });
  });

  it('gets the reason why a call was refused', async () => {
    const refused = run('demo_wait', { seconds: 'many' }).then(
      (result) => JSON.stringify(result),
      (thrown: unknown) => String(thrown),
    );
    expect(await refused).toContain('seconds');
  });

  // In its older generation this client awaits questions on a stream of its own, which we do not have.
  it.runIf(mode === 'auto')('answers what a task asks, and gets its result', async () => {
    const result = await run('delete_all_users', {});
    expect(result).toMatchObject({ structuredContent: { status: 'deleted', deleted: 0 } });
  });

  it('gets the answer of a quick tool', async () => {
    expect(await run('list_users', {})).toMatchObject({ structuredContent: { users: [] } });
  });
});
