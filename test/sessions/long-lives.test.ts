import { describe, expect, it } from 'vitest';
import { asOwner, asSessionId } from '../../functions/core/ids.ts';
import { turnsPerSnapshot } from '../../functions/core/limits.ts';
import { call, openSessions, ownTool, type Said } from '../api/session-door.ts';
import { testModel } from '../test-model.ts';

/** What must still hold when a session has become old. */

const tools = [ownTool('approve')];

/** Enough said that the history is compacted and the first turns are far away. */
const longTalk = 70;
const large = 'x'.repeat(60_000);

describe('an old session', () => {
  it('takes an input id once, however much was said since', async () => {
    const { create, settle } = openSessions();
    const session = await create();
    const first = { text: 'START', input_id: 'in-first' };
    await session.input(first);
    await settle();
    for (let n = 0; n < longTalk; n += 1) await session.say(`say ${n}`);
    expect(await session.input(first)).toMatchObject({
      status: 202,
      json: { input_id: 'in-first' },
    });
    expect(await session.input({ ...first, text: 'other' })).toMatchObject({ status: 409 });
    await settle();
    const events = await session.allEvents();
    const again = events.filter(({ data }) => data.input_id === 'in-first');
    expect(again).toHaveLength(1);
    expect(await session.view()).toMatchObject({ turns: longTalk + 1 });
  });

  it('gives no call an id that another had before the history was compacted', async () => {
    const said: Said[] = [{ calls: [call('dup', 'approve')] }, 'Done.'];
    for (let n = 0; n < 8; n += 1) said.push('Yes.');
    said.push({ calls: [call('dup', 'approve')] });
    const { create, settle } = openSessions(said);
    const session = await create({ tools });
    await session.say('Go');
    await session.respond({ call_id: 'dup', result: { first: 1 } });
    await settle();
    for (let n = 0; n < 8; n += 1) await session.say(large);
    await session.say('Once more');
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['dup_2'] });
    expect(await session.respond({ call_id: 'dup', result: { first: 1 } })).toMatchObject({
      status: 200,
      json: { outcome: 'already_resolved' },
    });
    expect((await session.respond({ call_id: 'dup_2', result: { second: 2 } })).status).toBe(202);
  });

  it('shows the late result of a call that was cancelled long ago, once', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools });
    await session.say('Go');
    await session.cancel('a');
    await settle();
    for (let n = 0; n < longTalk; n += 1) await session.say(`say ${n}`);
    for (const _ of [1, 2]) {
      const { status } = await session.respond({ call_id: 'a', result: { late: true } });
      expect(status).toBe(409);
      await settle();
    }
    const corrected = JSON.stringify(await session.history()).match(/correction completed/g);
    expect(corrected).toHaveLength(1);
  });
});

describe('a session that never says a word without a call', () => {
  it('is compacted all the same, and loses no response by it', async () => {
    const rounds = 120;
    const said = Array.from({ length: rounds + 1 }, (_, n) => ({
      calls: [call(`q${n}`, 'list_users'), call(`a${n}`, 'approve')],
    }));
    const { create, house, settle } = openSessions(said);
    const session = await create({ tools: ['list_users', ...tools] });
    for (let n = 0; n < rounds; n += 1) {
      await session.say(`say ${n}`);
      await session.respond({ call_id: `a${n}`, result: { n } });
    }
    await settle();
    const { turns, input_required_tool_ids } = await session.view();
    expect(input_required_tool_ids).toEqual([`a${rounds}`]);
    const key = { owner: asOwner('alice'), sessionId: asSessionId(session.id) };
    const { snapshot } = (await house.ports.sessions.get(key)) ?? {};
    expect(Number(turns) - (snapshot?.turn ?? 0)).toBeLessThan(turnsPerSnapshot);
    expect(JSON.stringify(await session.history())).not.toContain('was lost');
  });

  it('goes on where no snapshot could be written', async () => {
    const { create, house } = openSessions();
    Object.assign(house.ports.sessions, { keepSnapshot: async () => false });
    const session = await create();
    for (let n = 0; n < longTalk; n += 1) await session.say(`say ${n}.`);
    expect(await session.view()).toMatchObject({ turns: longTalk });
    const history = JSON.stringify(await session.history());
    const missing = Array.from({ length: longTalk }, (_, n) => `say ${n}.`);
    expect(missing.filter((text) => history.split(`"${text}"`).length !== 2)).toEqual([]);
  });
});

describe('late results of many cancelled calls', () => {
  it('are each shown once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const calls = ids.map((id) => call(id, 'approve'));
    const { create, house, settle } = openSessions([{ calls }]);
    const session = await create({ tools, policy: { slots: 10 } });
    await session.say('Go');
    for (const id of ids) await session.cancel(id);
    await settle();
    for (const id of ids) await session.respond({ call_id: id, result: { of: id } });
    // Rings that met the turn of another come back when its claim would have ended.
    await house.runFor(15 * 60_000);
    const history = JSON.stringify(await session.history());
    expect(history.match(/correction completed/g)).toHaveLength(ids.length);
  });
});

describe('a result of several', () => {
  it('that is said again counts once, whichever of them it is', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools: [ownTool('approve', { results: 3 })] });
    await session.say('Go');
    const say = async (n: number) =>
      (await session.respond({ call_id: 'a', result: { n } })).json.outcome;
    expect([await say(1), await say(2), await say(1), await say(3)]).toEqual([
      'partial',
      'partial',
      'already_resolved',
      'resolved',
    ]);
    await settle();
    expect([await say(2), await say(3), await say(4)]).toEqual([
      'already_resolved',
      'already_resolved',
      undefined,
    ]);
  });
});

describe('max_turns', () => {
  it('ends the calls of a model that only asks for what there is not', async () => {
    const said = Array.from({ length: 40 }, (_, n) => ({ calls: [call(`c${n}`, 'no_such_tool')] }));
    const { create } = openSessions(said);
    const session = await create({ policy: { max_turns: 4 } });
    await session.say('Go');
    expect(await session.view()).toMatchObject({ turns: 4, finish_reason: 'max_turns' });
  });

  it('is not begun anew by the ends of other calls', async () => {
    const said = Array.from({ length: 40 }, (_, n) => ({
      calls: [call(`a${n}`, 'approve'), call(`b${n}`, 'approve')],
    }));
    const { create, settle } = openSessions(said);
    const session = await create({ tools, policy: { max_turns: 2, pending: 'each', slots: 10 } });
    await session.say('Go');
    for (const id of ['a0', 'b0']) {
      await session.respond({ call_id: id, result: 1 });
      await settle();
    }
    const { pending, finish_reason } = await session.view();
    expect([pending, finish_reason]).toEqual([[], 'max_turns']);
    const events = await session.allEvents();
    const carriedOut = events.filter(({ event, data }) => event === 'call' && data.task_id);
    expect(carriedOut.map(({ data }) => data.call_id)).toEqual(['a0', 'b0']);
    await session.say('And now?');
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['a3', 'b3'] });
  });
});

describe('an end that a quick call has brought', () => {
  it('is told in the request that shows its response, and by no other turn', async () => {
    const model = testModel(({ entries }) => {
      const last = entries.at(-1);
      const words = last?.role === 'user' ? last.text : '';
      const waiting = entries.find((entry) => entry.role === 'tool' && entry.status === 'working');
      const task_id = waiting?.role === 'tool' ? waiting.taskId : undefined;
      if (words === 'Go') return { calls: [call('w', 'demo_wait', { seconds: 600 })] };
      return words === 'Stop' ? { calls: [call('x', 'cancel_task', { task_id })] } : {};
    });
    const { create, settle } = openSessions([], { model });
    const session = await create();
    for (const words of ['Go', 'And?', 'Stop']) await session.say(words);
    await settle();
    const { turns, status } = await session.view();
    expect([turns, status]).toEqual([4, 'idle']);
    const last = (await session.history()).slice(-4);
    expect(last.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant']);
    expect(last[2]?.text).toContain('cancelled');
  });
});
