import { expect, inject, it } from 'vitest';
import { openDoor } from '../api/door.ts';
import { useStage } from './stage.ts';
import { declaring, modern, type Wire } from './wire.ts';

let wire: Wire;
useStage('right-after', 'hasty', ({ url, key }) => {
  wire = { url, key: key('alice'), capabilities: declaring };
});

const call = { name: 'demo_wait', arguments: { seconds: 0 } };

it('finds 1,000 of 1,000 tasks right after they were made', async () => {
  const { ask } = openDoor();
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': declaring,
  };
  const request = async (method: string, name: string, params: Record<string, unknown>) => {
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name };
    const accept = 'application/json, text/event-stream';
    const json = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    const answer = await ask('/mcp', { json, headers: { ...headers, accept } });
    return answer.json.result as { readonly taskId?: string };
  };
  let found = 0;
  for (let count = 0; count < 1000; count += 1) {
    const { taskId = '' } = await request('tools/call', call.name, call);
    if ((await request('tasks/get', taskId, { taskId })).taskId === taskId) found += 1;
  }
  expect(found).toBe(1000);
});

const lanes = 4;
const perLane = 250;

it.runIf(inject('instances'))('so does another instance than the one that made them', async () => {
  let found = 0;
  const lane = async () => {
    for (let count = 0; count < perLane; count += 1) {
      const { taskId } = (await modern(wire, 'tools/call', call)).answer.result;
      const { answer } = await modern(wire, 'tasks/get', { taskId });
      if (answer.result?.taskId === taskId) found += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(found).toBe(1000);
});
