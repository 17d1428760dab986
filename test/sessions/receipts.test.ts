import { describe, expect, it } from 'vitest';
import { call, openSessions, ownTool } from '../api/session-door.ts';
import { openStream } from '../api/event-stream.ts';

const tools = [ownTool('approve')];

describe('a response', () => {
  it.each([false, true])(
    'is stored before the model hears of it, and continued once (delivered twice: %s)',
    async (deliverTwice) => {
      const { create, house, settle } = openSessions([{ calls: [call('a', 'approve')] }], {
        deliverTwice,
      });
      const session = await create({ tools });
      await session.say('Go');
      await session.respond({ call_id: 'a', result: 1 });
      await session.respond({ call_id: 'a', result: 1 });
      expect(await session.view()).toMatchObject({ status: 'running', turns: 1, pending: [] });
      await settle();
      await house.runFor(300_000);
      expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
      expect(house.thrown).toEqual([]);
    },
  );

  it('is known again however long after', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools });
    await session.say('Go');
    await session.respond({ call_id: 'a', result: 1 });
    await settle();
    for (let n = 0; n < 60; n += 1) await session.say(`say ${n}`);
    expect((await session.respond({ call_id: 'a', result: 1 })).status).toBe(200);
    expect((await session.cancel('a')).json.code).toBe('task_ended');
    for (let n = 0; n < 80; n += 1) await session.say(`say ${n}`);
    expect((await session.respond({ call_id: 'a', result: 1 })).status).toBe(200);
    expect((await session.respond({ call_id: 'a', result: 2 })).status).toBe(409);
    expect((await session.respond({ call_id: 'b', result: 1 })).status).toBe(404);
  });

  it('finds a call that waited through a compaction', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools });
    await session.say('Go');
    for (let n = 0; n < 100; n += 1) await session.say(`say ${n}`);
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['a'] });
    expect((await session.respond({ call_id: 'a', result: 'late' })).status).toBe(202);
    await settle();
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 102 });
  });

  it('to a call that waits for a slot finds its arguments again after a compaction', async () => {
    const calls = [call('a', 'approve', { n: 1 }), call('b', 'approve', { n: 2 })];
    const { create, settle, house } = openSessions([{ calls }]);
    const session = await create({ tools, policy: { slots: 1 } });
    await session.say('Go');
    for (let n = 0; n < 100; n += 1) await session.say(`say ${n}`);
    const { json } = await session.cancel('b');
    expect(json).toMatchObject({ status: 'cancelled', call_id: 'b' });
    await session.respond({ call_id: 'a', result: 1 });
    await settle();
    expect(await session.view()).toMatchObject({ status: 'idle' });
    expect(house.thrown).toEqual([]);
  });
});

describe('the events', () => {
  it('are the same when every message is delivered twice', async () => {
    const tell = async (deliverTwice: boolean) => {
      const said = [
        { calls: [call('a', 'approve'), call('q', 'list_users')] },
        'Wait.',
        { calls: [call('q2', 'list_users')] },
        'Done.',
      ];
      const { create, settle, house } = openSessions(said, { deliverTwice });
      const session = await create({ tools: [...tools, 'list_users'] });
      const live = await openStream(house, `${session.path}/events`);
      await session.say('Go');
      await session.say('And?');
      await session.respond({ call_id: 'a', result: 1 });
      await settle();
      const events = await session.allEvents();
      expect(live.events).toEqual(events);
      return events.map(({ event }) => event);
    };
    expect(await tell(true)).toEqual(await tell(false));
  });
});
