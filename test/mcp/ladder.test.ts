import { describe, expect, it } from 'vitest';
import { requestDigest, seal } from '../../functions/api/mcp/seals.ts';
import { systemClock } from '../../functions/adapters/process.ts';
import { asOwner } from '../../functions/core/ids.ts';
import { useStage, type Stage } from './stage.ts';
import {
  comeBack,
  declaring,
  eventIdsIn,
  legacy,
  modern,
  post,
  type Reply,
  type Wire,
} from './wire.ts';

let stage: Stage;
let wire: Wire;
let elsewhere: Wire;
useStage('ladder', 'short', (opened) => {
  stage = opened;
  wire = { url: stage.url, key: stage.key('alice') };
  elsewhere = { ...wire, url: stage.elsewhere };
});

const demo = (args: Record<string, unknown>) => ({ name: 'demo_wait', arguments: args });
const progressIn = ({ messages }: Reply) =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [Number(params?.progress)] : [],
  );
const ascending = (values: readonly number[]) =>
  values.every((value, n) => n === 0 || value > (values[n - 1] ?? 0));

const eras = [
  ['2026-07-28', modern, {}],
  ['2025-11-25', legacy, {}],
  ['2025-06-18', legacy, { 'mcp-protocol-version': '2025-06-18' }],
] as const;

describe.each(eras)('a client of %s without tasks', (_, ask, headers) => {
  const call = (args: Record<string, unknown>, over: Partial<Wire> = {}) =>
    ask({ ...wire, headers, ...over }, 'tools/call', demo(args));

  it('gets the result inline when it is there in time, with progress on the way', async () => {
    const reply = await call({ seconds: 1.5, progress: 6 }, { meta: { progressToken: 'p' } });
    expect(reply.answer.result.structuredContent).toEqual({ waited_s: 1.5 });
    const told = progressIn(reply);
    expect(told.length).toBeGreaterThan(1);
    expect(ascending(told)).toBe(true);
    expect(told.at(-1)).toBe(100);
    expect(reply.messages.findIndex(({ result }) => result)).toBe(reply.messages.length - 1);
  });

  it('hears no progress without a token', async () => {
    expect((await call({ seconds: 2, progress: 6 })).messages).toHaveLength(1);
  });

  it('gets a handle when the hold is over', async () => {
    const fromMs = stage.clock.nowMs();
    const { structuredContent } = (await call({ seconds: 60 })).answer.result;
    expect(structuredContent).toMatchObject({ status: 'working', next: expect.any(String) });
    const heldMs = stage.clock.nowMs() - fromMs;
    expect(heldMs).toBeGreaterThanOrEqual(8000);
    expect(heldMs).toBeLessThan(16_000);
  });

  it('gets it at once where nothing is held', async () => {
    const fromMs = stage.clock.nowMs();
    const reply = await call({ seconds: 60 }, { url: stage.hastyUrl, client: 'claude-code' });
    expect(reply.answer.result.structuredContent).toMatchObject({ status: 'working' });
    expect(stage.clock.nowMs() - fromMs).toBeLessThan(8000);
  });
});

describe('a call whose connection is cut', () => {
  const cutShort = async (args: Record<string, unknown>) => {
    const over = { meta: { progressToken: 'p' }, cutAfterMs: 60 };
    const reply = await legacy({ ...wire, ...over }, 'tools/call', demo(args));
    return { reply, lastId: String(eventIdsIn(reply.text).at(-1)) };
  };

  it('goes on elsewhere from its last event, and tells nothing twice', async () => {
    const { reply, lastId } = await cutShort({ seconds: 2.5, progress: 8 });
    expect(reply.text).toMatch(/^id: \S+\nretry: \d+\ndata: \n\n/);
    expect(reply.messages.every(({ result }) => result === undefined)).toBe(true);
    const rest = await comeBack(elsewhere, lastId);
    expect(rest.answer).toMatchObject({ id: 7, result: { structuredContent: { waited_s: 2.5 } } });
    expect(ascending([...progressIn(reply), ...progressIn(rest)])).toBe(true);
  });

  it('is of no use to another owner, when forged, or too late', async () => {
    const { lastId } = await cutShort({ seconds: 1 });
    const refused = async (over: Wire, id: string) => {
      const { status, text } = await comeBack(over, id);
      return { status, text };
    };
    const forged = await refused(wire, `${lastId.slice(0, -2)}xx`);
    expect(forged.status).toBe(404);
    expect(await refused({ ...wire, key: stage.key('bob') }, lastId)).toEqual(forged);
    expect(await refused(wire, 'nonsense')).toEqual(forged);
    const late = stage.sealer.seal('mcp place', {}, stage.clock.nowMs() - 1);
    expect(await refused(wire, late)).toEqual(forged);
    const leg = stage.sealer.seal('mcp leg', {}, stage.clock.nowMs() + 60_000);
    expect(await refused(wire, leg)).toEqual(forged);
    expect((await fetch(`${wire.url}/mcp`, { headers: bearer() })).status).toBe(405);
  });

  const bearer = () => ({
    authorization: `Bearer ${wire.key}`,
    accept: 'text/event-stream',
  });

  it('is held longer for a client that is known to be patient, over several connections', async () => {
    const said = await post(wire, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'claude-code', version: '1' },
        capabilities: {},
      },
    });
    const session = said.headers.get('mcp-session-id') ?? '';
    const known = { ...wire, headers: { 'mcp-session-id': session } };
    let reply = await legacy(known, 'tools/call', demo({ seconds: 20 }));
    let connections = 1;
    while (reply.messages.length === 0) {
      reply = await comeBack(connections % 2 ? elsewhere : wire, String(eventIdsIn(reply.text)[0]));
      connections += 1;
    }
    expect(connections).toBeGreaterThan(2);
    expect(reply.answer.result.structuredContent).toEqual({ waited_s: 20 });
    // A session id that is not this owner's says nothing about the client.
    const stolen = { ...known, key: stage.key('bob') };
    const asStranger = await legacy(stolen, 'tools/call', demo({ seconds: 60 }));
    expect(asStranger.answer.result.structuredContent).toMatchObject({ status: 'working' });
  });

  it('has wait_for_task come back too', async () => {
    const start = {
      name: 'start_task',
      arguments: { tool: 'demo_wait', arguments: { seconds: 4 } },
    };
    const { task_id } = (await legacy(wire, 'tools/call', start)).answer.result.structuredContent;
    const cut = { ...wire, cutAfterMs: 30 };
    const wait = { name: 'wait_for_task', arguments: { task_id, timeout_s: 20 } };
    const first = await legacy(cut, 'tools/call', wait);
    const rest = await comeBack(elsewhere, String(eventIdsIn(first.text).at(-1)));
    expect(rest.answer.result.structuredContent).toEqual({
      task_id,
      status: 'completed',
      result: { waited_s: 4 },
    });
  });
});

describe('a client of 2026-07-28 that is known to follow', () => {
  const follower = (over: Partial<Wire> = {}) => ({ ...wire, client: 'claude-code', ...over });
  const leg = (over: Partial<Wire>, args: Record<string, unknown>, requestState?: string) =>
    modern(follower(over), 'tools/call', {
      ...demo(args),
      ...(requestState === undefined ? {} : { requestState }),
    });

  it('is sent back with its sealed leg until the result is there, on any instance', async () => {
    const args = { seconds: 22 };
    let { result } = (await leg({}, args)).answer;
    let rounds = 0;
    while (result.resultType === 'input_required') {
      expect(result).not.toHaveProperty('inputRequests');
      rounds += 1;
      const { url } = rounds % 2 ? elsewhere : wire;
      ({ result } = (await leg({ url }, args, result.requestState)).answer);
    }
    expect(rounds).toBeGreaterThan(1);
    expect(result.structuredContent).toEqual({ waited_s: 22 });
  });

  it('gets its handle when the rounds are used up', async () => {
    const args = { seconds: 3000 };
    let { result } = (await leg({}, args)).answer;
    let rounds = 0;
    while (result.resultType === 'input_required') {
      rounds += 1;
      ({ result } = (await leg({}, args, result.requestState)).answer);
    }
    expect(rounds).toBe(9);
    expect(result.structuredContent).toMatchObject({ status: 'working' });
  });

  it('cannot use a leg for another call, nor another owner at all, nor anyone a forged one', async () => {
    const { requestState } = (await leg({}, { seconds: 3000 })).answer.result;
    const late = stage.sealer.seal('mcp leg', {}, stage.clock.nowMs() - 1);
    const wrong = [
      leg({}, { seconds: 2999 }, requestState),
      leg({ key: stage.key('bob') }, { seconds: 3000 }, requestState),
      leg({}, { seconds: 3000 }, `${requestState}x`),
      leg({}, { seconds: 3000 }, late),
    ];
    for (const reply of await Promise.all(wrong)) {
      expect(reply.answer.error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('requestState'),
      });
    }
  });

  it('finds the task of its leg when it understands tasks by now', async () => {
    const args = { seconds: 3000 };
    const { requestState } = (await leg({}, args)).answer.result;
    const capabilities = declaring;
    const [one, again] = [
      (await leg({ capabilities }, args, requestState)).answer.result,
      (await leg({ capabilities }, args, requestState)).answer.result,
    ];
    expect(one).toMatchObject({ resultType: 'task', status: 'working' });
    expect(again.taskId).toBe(one.taskId);
  });

  it.each([
    ['a task', { capabilities: declaring }, demo({ seconds: 3000 })],
    ['a quick call', {}, { name: 'list_users', arguments: {} }],
    ['a wait', {}, { name: 'wait_for_task', arguments: { task_id: 'x' } }],
  ])('begins %s with no state that is not its own', async (_, over, call) => {
    const { requestState } = (await leg({}, { seconds: 2000 })).answer.result;
    for (const state of [requestState, 'forged', '']) {
      const sent = modern(follower(over), 'tools/call', { ...call, requestState: state });
      expect((await sent).answer.error).toMatchObject({
        code: -32_602,
        message: 'Invalid or expired requestState',
      });
    }
  });

  it.each([
    ['where nothing is held', () => stage.hastyUrl],
    ['where calls are held', () => stage.url],
  ])('gets its handle at once when the task asks and it cannot, %s', async (_, url) => {
    const params = { name: 'delete_all_users', arguments: {} };
    const { result } = (await modern(follower({ url: url() }), 'tools/call', params)).answer;
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'input_required', input_requests: [{ key: 'approve' }] },
    });
  });

  it('is not sent back where the next hold would be none', async () => {
    const cut = { url: stage.hastyUrl };
    const sinceMs = stage.clock.nowMs() + 3_600_000;
    const { task_id: taskId } = (await leg(cut, { seconds: 3000 })).answer.result.structuredContent;
    const digest = requestDigest('demo_wait', { seconds: 3000 });
    const owner = asOwner(stage.key('alice').replace('key-of-', ''));
    const begun = { owner, taskId, form: 'call' as const, digest, round: 1, sinceMs };
    const state = seal({ sealer: stage.sealer, clock: systemClock }, 'leg', begun, sinceMs);
    const { result } = (await leg(cut, { seconds: 3000 }, state)).answer;
    expect(result.structuredContent).toMatchObject({ task_id: taskId, status: 'working' });
  });

  it('is not any client', async () => {
    const { result } = (await leg({ client: 'someone' }, { seconds: 3000 })).answer;
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'working' },
    });
  });
});
