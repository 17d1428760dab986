import { expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { comeBack, eventIdsIn, legacy, legacyStream, post, type Reply, type Wire } from './wire.ts';

let wire: Wire;
let clock: Stage['clock'];
useStage('wrong-answer', 'short', ({ url, key, clock: of }) => {
  wire = { url, key: key('alice') };
  clock = of;
});

async function session(name: string): Promise<Wire> {
  const params = {
    protocolVersion: '2025-11-25',
    clientInfo: { name, version: '1' },
    capabilities: { elicitation: {} },
  };
  const said = await post(wire, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  return { ...wire, headers: { 'mcp-session-id': said.headers.get('mcp-session-id') ?? '' } };
}

const call = { name: 'delete_all_users', arguments: {} };
const questionsIn = ({ messages }: Reply) =>
  messages.flatMap(({ method, id }) => (method === 'elicitation/create' ? [id] : []));
const answer = (id: unknown, content: unknown) =>
  post(wire, { jsonrpc: '2.0', id, result: { action: 'accept', content } });
const goOn = (reply: Reply) => comeBack(wire, String(eventIdsIn(reply.text).at(-1)));

it('an answer that does not fit is refused, and asked for again under a new id', async () => {
  const first = await legacy(await session('claude-code'), 'tools/call', call);
  const [id] = questionsIn(first);
  const quiet = await goOn(first);
  expect(questionsIn(quiet)).toEqual([]);
  const refused = await answer(id, { approve: 'perhaps' });
  expect(refused).toMatchObject({ status: 400, answer: { error: { code: -32_602 } } });
  const second = await goOn(quiet);
  const [again, ...more] = questionsIn(second);
  expect(more).toEqual([]);
  expect(again).toEqual(expect.any(String));
  expect(again).not.toBe(id);
  expect(questionsIn(await goOn(second))).toEqual([]);
  expect((await answer(again, { approve: true })).status).toBe(202);
  const { result } = (await goOn(second)).answer;
  expect(result.structuredContent).toMatchObject({ status: 'deleted' });
});

it('is asked for again on the connection that still waits, whichever instance was told', async () => {
  const waiting = await session('claude-code');
  const asked: string[] = [];
  let ended: unknown;
  for await (const message of legacyStream(waiting, 'tools/call', call)) {
    if (message.method === 'elicitation/create') {
      asked.push(String(message.id));
      const content = { approve: asked.length < 3 ? 'perhaps' : true };
      expect((await answer(message.id, content)).status).toBe(asked.length < 3 ? 400 : 202);
    }
    ended = message.result?.structuredContent;
  }
  expect(new Set(asked).size).toBe(3);
  expect(ended).toMatchObject({ status: 'deleted' });
});

it.each([
  ['an error', { error: { code: -32_603, message: 'no window' } }, 202],
  ['nothing', {}, 400],
  ['no action', { result: {} }, 400],
  ['an unknown action', { result: { action: 'ACCEPT' } }, 400],
])('%s is no decision of the user', async (_, said, status) => {
  const first = await legacy(await session('claude-code'), 'tools/call', call);
  const [id] = questionsIn(first);
  expect((await post(wire, { jsonrpc: '2.0', id, ...said })).status).toBe(status);
  const second = await goOn(first);
  const [again = id] = questionsIn(second);
  expect((await answer(again, { approve: true })).status).toBe(202);
  const { result } = (await goOn(second)).answer;
  expect(result.structuredContent).toMatchObject({ status: 'deleted' });
});

it('a client that fails to ask is not asked again, and gets the result of who answers elsewhere', async () => {
  const waiting = await session('claude-code');
  const { task } = (await legacy(waiting, 'tools/call', { ...call, task: {} })).answer.result;
  const asked: unknown[] = [];
  let ended: unknown;
  for await (const { id, method, result } of legacyStream(waiting, 'tasks/result', task)) {
    ended = result?.structuredContent;
    if (method !== 'elicitation/create') continue;
    asked.push(id);
    const error = { code: -32_603, message: 'no window' };
    expect((await post(wire, { jsonrpc: '2.0', id, error })).status).toBe(202);
    const still = await legacy(waiting, 'tasks/get', task);
    expect(still.answer.result.status).toBe('input_required');
    await clock.sleep(5000);
    expect(await approve(task.taskId)).toBe(202);
  }
  expect(asked).toHaveLength(1);
  expect(ended).toMatchObject({ status: 'deleted' });
});

async function approve(taskId: string): Promise<number> {
  const headers = { authorization: `Bearer ${wire.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ key: 'approve', value: { approve: true } });
  const input = `${wire.url}/v1/tasks/${taskId}/input`;
  return (await fetch(input, { method: 'POST', headers, body })).status;
}

it('a question of a plain call names no task that the client never made', async () => {
  const { messages } = await legacy(await session('claude-code'), 'tools/call', call);
  const asked = messages.find(({ method }) => method === 'elicitation/create');
  expect(asked?.params).not.toHaveProperty('_meta');
});

it('a client that is held once gets the handle, which asks', async () => {
  const { answer: last } = await legacy(await session('someone'), 'tools/call', call);
  expect(last.result.structuredContent).toMatchObject({
    status: 'input_required',
    input_requests: [{ key: 'approve' }],
  });
});
