import { expect, it } from 'vitest';
import { testTool } from '../test-tool.ts';
import { openDoor } from './door.ts';

const version = '2026-07-28';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const secret = 'User: arn:aws:sts::123456789012:assumed-role/Api is not authorized';

it.each([
  ['tasks/get', 'task_1', { taskId: 'task_1' }],
  ['tools/call', 'slow', { name: 'slow', arguments: {} }],
  ['resources/read', 'task://task_1/result', { uri: 'task://task_1/result' }],
])('%s tells nothing of what broke inside', async (method, name, params) => {
  const { ask, house } = openDoor({ tools: [testTool()] });
  const broken = () => Promise.reject(new Error(secret));
  const tasks = { ...house.ports.tasks, get: broken, create: broken };
  Object.assign(house.ports, { tasks });
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    'mcp-name': name,
  };
  const json = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const answer = await ask('/mcp', { json, headers });
  expect(answer.text).not.toContain('arn:aws');
  expect(answer.text).toContain('-32603');
});
