import { expect, it } from 'vitest';
import { openDoor } from '../api/door.ts';
import { declaring } from './wire.ts';

const version = '2026-07-28';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': declaring,
};

it('finds 1,000 of 1,000 tasks right after they were made', async () => {
  const { ask } = openDoor();
  const request = async (method: string, name: string, params: Record<string, unknown>) => {
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name };
    const accept = 'application/json, text/event-stream';
    const json = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    const answer = await ask('/mcp', { json, headers: { ...headers, accept } });
    return answer.json.result as { readonly taskId?: string };
  };
  let found = 0;
  for (let count = 0; count < 1000; count += 1) {
    const call = { name: 'demo_wait', arguments: { seconds: 60 } };
    const { taskId = '' } = await request('tools/call', call.name, call);
    if ((await request('tasks/get', taskId, { taskId })).taskId === taskId) found += 1;
  }
  expect(found).toBe(1000);
});
