import { describe, expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { declaring, legacy, modern, type Wire } from './wire.ts';

let stage: Stage;
let wire: Wire;
useStage('adoption', 'hasty', (opened) => {
  stage = opened;
  wire = { url: stage.url, key: stage.key('alice'), capabilities: declaring };
});

type Meta = Record<string, unknown>;
const call = async (meta: Meta, seconds = 3000, over: Partial<Wire> = {}) => {
  const params = { name: 'demo_wait', arguments: { seconds } };
  return (await modern({ ...wire, meta, ...over }, 'tools/call', params)).answer.result;
};
const viewOf = async (task_id: string) =>
  (await modern(wire, 'tools/call', { name: 'get_task', arguments: { task_id } })).answer.result
    .structuredContent;

describe.each([
  ['Claude Code', (id: string) => ({ 'claudecode/toolUseId': id })],
  ['Codex', (id: string) => ({ callId: id, threadId: 'thread-1' })],
  ['Redpanda', (id: string) => ({ 'redpanda.com/llm-tool-call-id': id })],
])('the call id of %s', (name, metaFor) => {
  const id = `toolu_${name.replace(' ', '')}`;

  it('makes a call that is sent again find its task', async () => {
    const { taskId } = await call(metaFor(id));
    expect((await call(metaFor(id))).taskId).toBe(taskId);
    expect(await viewOf(taskId)).toMatchObject({ task_id: taskId, call_id: id });
    const plain = { name: 'demo_wait', arguments: { seconds: 3000 } };
    const old = await legacy({ ...wire, meta: metaFor(id) }, 'tools/call', { ...plain, task: {} });
    expect(old.answer.result.task.taskId).toBe(taskId);
    const held = await legacy({ ...wire, meta: metaFor(id) }, 'tools/call', plain);
    expect(held.answer.result.structuredContent.task_id).toBe(taskId);
  });

  it('refuses other arguments under the same id, and says why', async () => {
    const refused = await call(metaFor(id), 2000);
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('other arguments') }],
    });
  });

  it('is not shared by owners', async () => {
    const { taskId } = await call(metaFor(id), 3000);
    const bobs = await call(metaFor(id), 2000, { key: stage.key('bob') });
    expect(bobs.taskId).not.toBe(taskId);
  });
});

it.each<Meta>([
  {},
  { 'ai.opencode/sessionID': 'ses_1' },
  { 'antigravity.google/conversation_id': 'c-1' },
  { callId: 7 },
  { callId: '' },
  { callId: 'call_1' },
  { threadId: 'thread-1' },
])('without a call id every call is its own (%o)', async (meta) => {
  const [one, other] = [await call(meta), await call(meta)];
  expect(one.taskId).not.toBe(other.taskId);
  expect(await viewOf(one.taskId)).not.toHaveProperty('call_id');
});

it('two threads may use the same call id', async () => {
  const [one, other] = await Promise.all(
    ['a', 'b'].map((threadId) => call({ callId: 'call_1', threadId })),
  );
  expect(one.taskId).not.toBe(other.taskId);
});

it('an id of any length is an identity, but only a short one is kept', async () => {
  const meta = { callId: 'x'.repeat(5000) };
  const { taskId } = await call(meta);
  expect((await call(meta)).taskId).toBe(taskId);
  expect(await viewOf(taskId)).not.toHaveProperty('call_id');
});

it('a quick call that is sent again has one effect', async () => {
  const meta = { 'claudecode/toolUseId': 'toolu_quick' };
  const params = { name: 'create_user', arguments: { name: 'Ann', email: 'ann@example.com' } };
  const create = async () =>
    (await modern({ ...wire, meta }, 'tools/call', params)).answer.result.structuredContent.id;
  expect(await create()).toBe(await create());
});

it('start_task that is sent again starts one task', async () => {
  const params = {
    name: 'start_task',
    arguments: { tool: 'demo_wait', arguments: { seconds: 3000 } },
  };
  const start = async (meta: Meta) =>
    (await modern({ ...wire, meta }, 'tools/call', params)).answer.result.structuredContent.task_id;
  const meta = { 'claudecode/toolUseId': 'toolu_start' };
  expect(await start(meta)).toBe(await start(meta));
  expect(await start({})).not.toBe(await start({}));
});
