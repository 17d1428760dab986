import { describe, expect, it } from 'vitest';
import { openStream } from './event-stream.ts';
import { brief, call, openSessions, ownTool } from './session-door.ts';

const calls = [
  call('slow', 'demo_wait', { seconds: 8, progress: 3 }),
  call('ask', 'approve'),
  call('quick', 'list_users'),
];

/** A story with everything in it: quick and slow calls, chat between, progress, a cancel, a failure. */
async function wholeStory() {
  const sessions = openSessions([
    'Hello.',
    { text: 'Going.', calls },
    'Still going.',
    { calls: [call('more', 'list_users')] },
    'All is done.',
    { calls: [call('gone', 'demo_wait', { seconds: 60 })] },
    'Cancelled.',
  ]);
  const { create, house, settle } = sessions;
  const session = await create({ tools: [ownTool('approve'), 'demo_wait', 'list_users'] });
  const act = async () => {
    await session.say('Hi');
    await session.say('Go');
    await session.say('How far?');
    await session.respond({ call_id: 'ask', progress: { percent: 50, message: 'asked' } });
    await session.respond({ call_id: 'ask', error: 'Ann said no' });
    await house.runFor(10_000);
    await session.say('Once more');
    await session.cancel('gone');
    await settle();
  };
  return { ...sessions, session, act };
}

const told = [
  'input Hi',
  'status running',
  'turn 1',
  'status idle',
  'input Go',
  'status running',
  'turn 2',
  'call slow',
  'call ask',
  'call quick',
  'status input_required',
  'input How far?',
  'status running',
  'turn 3',
  'status input_required',
  'progress slow 33',
  'progress slow 67',
  'progress slow 100',
  'task slow completed',
  'progress ask 50',
  'task ask failed',
  'status running',
  'turn 4',
  'call more',
  'turn 5',
  'status idle',
  'input Once more',
  'status running',
  'turn 6',
  'call gone',
  'status input_required',
  'task gone cancelled',
  'status running',
  'turn 7',
  'status idle',
];

describe('the events of a session', () => {
  it('tell the whole story, in the words of the wire', async () => {
    const { session, act } = await wholeStory();
    await act();
    const events = await session.allEvents();
    expect(events.map(brief)).toEqual(told);
    const one = (name: string) => events.find((event) => brief(event) === name)?.data;
    const task_id = expect.stringMatching(/^task_/);
    expect(one('input Hi')).toEqual({ input_id: expect.any(String), text: 'Hi' });
    expect(one('turn 2')).toEqual({
      number: 2,
      trigger: 'user',
      text: 'Going.',
      finish_reason: 'input_required',
    });
    expect(one('turn 4')).toMatchObject({ finish_reason: 'tool_calls', trigger: 'task' });
    expect(one('call slow')).toEqual({ call_id: 'slow', tool: 'demo_wait', task_id });
    expect(one('call quick')).toEqual({ call_id: 'quick', tool: 'list_users' });
    expect(one('task ask failed')).toEqual({ task_id, call_id: 'ask', status: 'failed' });
    const data = { call_id: 'ask', task_id, sequence: 1, percent: 50, message: 'asked' };
    expect(one('progress ask 50')).toEqual(data);
  });

  it('go on from every id as if nothing had happened, in both forms', async () => {
    const { session, act, house } = await wholeStory();
    await act();
    const events = await session.allEvents();
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, id] of ids.entries()) {
      const rest = events.slice(index + 1);
      expect(await session.allEvents(id)).toEqual(rest);
      const stream = await openStream(house, `${session.path}/events`, { lastEventId: id });
      await house.clock.advance(100);
      expect(stream.events).toEqual(rest);
      await stream.leave();
    }
    expect(await session.poll(ids.at(-1))).toEqual({ events: [], cursor: ids.at(-1) });
  });

  it('are the same for whoever was there and whoever comes late', async () => {
    const { session, act, house } = await wholeStory();
    const there = await openStream(house, `${session.path}/events`);
    await act();
    await house.clock.advance(2000);
    const late = await openStream(house, `${session.path}/events`);
    await house.clock.advance(2000);
    expect(late.events.map(brief)).toEqual(told);
    expect(there.events.map(brief).toSorted()).toEqual(told.toSorted());
    expect(there.events.at(-1)?.id).toBe(late.events.at(-1)?.id);
    // Who was there has seen progress when it was made, not when it was delivered.
    const order = there.events.map(brief);
    expect(order.indexOf('progress slow 33')).toBeLessThan(order.indexOf('task ask failed'));
  });

  it('reach a reader whose stream is cut again and again while it happens', async () => {
    const { session, act, house } = await wholeStory();
    const seen: string[] = [];
    let lastEventId = '';
    const acting = new AbortController();
    const reading = (async () => {
      for (let idle = 0; !acting.signal.aborted || idle < 2;) {
        const stream = await openStream(house, `${session.path}/events`, { lastEventId });
        await house.clock.sleep(400);
        const kept = stream.events.slice(0, 2);
        await stream.leave();
        seen.push(...kept.map(brief));
        lastEventId = kept.at(-1)?.id ?? lastEventId;
        idle = kept.length === 0 ? idle + 1 : 0;
      }
    })();
    await act();
    acting.abort();
    await house.clock.advance(30_000);
    await reading;
    expect(seen.toSorted()).toEqual(told.toSorted());
  });

  it.each(['garbage', '1.2', '0.99.0', '%00', 'undefined', '1.1.1.9-9-x'])(
    'refuse a cursor that this stream cannot have given: %s',
    async (after) => {
      const { session, act, ask, house } = await wholeStory();
      await act();
      for (const query of [`?format=json&after=${after}`, `?after=${after}`]) {
        const { status, json } = await ask(`${session.path}/events${query}`);
        expect([status, json.code]).toEqual([400, 'invalid_request']);
        expect(json.errors).toMatchObject([{ path: 'after' }]);
      }
      const stream = await openStream(house, `${session.path}/events`, { lastEventId: 'garbage' });
      expect(stream.status).toBe(400);
    },
  );

  it('begin at the first event without a cursor, or with an empty one', async () => {
    const { session, act } = await wholeStory();
    await act();
    expect((await session.poll()).events[0]).toMatchObject({ event: 'input' });
  });

  it('refuse a form that nobody knows', async () => {
    const { ask, create } = openSessions();
    const session = await create();
    expect((await ask(`${session.path}/events?format=xml`)).status).toBe(400);
  });

  it('are none for a new session', async () => {
    const session = await openSessions().create();
    expect(await session.poll()).toEqual({ events: [], cursor: '0.0.0' });
  });

  it('come page by page from a long session', async () => {
    const { create } = openSessions();
    const session = await create();
    for (let n = 0; n < 70; n += 1) await session.say(`say ${n}`);
    const events = await session.allEvents();
    expect((await session.poll()).events.length).toBeLessThan(events.length);
    expect(events.filter(({ event }) => event === 'turn')).toHaveLength(70);
    expect(events.filter(({ event }) => event === 'input')).toHaveLength(70);
  });
});
