import { describe, expect, it } from 'vitest';
import { streamMsMax } from '../../functions/core/limits.ts';
import type { Model } from '../../functions/core/model.ts';
import { testModel } from '../test-model.ts';
import { openStream } from './event-stream.ts';
import { brief, call, openSessions, ownTool } from './session-door.ts';

const open = async (said: Parameters<typeof openSessions>[0] = []) => {
  const sessions = openSessions(said);
  const session = await sessions.create({ tools: [ownTool('approve'), 'demo_wait'] });
  const path = `${session.path}/events`;
  return { ...sessions, session, path, clock: sessions.house.clock };
};

describe('a stream of events', () => {
  it('is one, and asks not to be kept or collected on its way', async () => {
    const { house, path } = await open();
    const { status, headers } = await openStream(house, path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toContain('no-cache');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('begins at once, with how soon to come back', async () => {
    const { house, path, clock } = await open();
    const stream = await openStream(house, path);
    await clock.advance(0);
    expect(stream.frames).toEqual([{ retry: 1000 }]);
  });

  it('tells at once what happens in this process', async () => {
    const { house, path, clock, session } = await open([
      { calls: [call('c1', 'approve')] },
      'Done.',
    ]);
    const stream = await openStream(house, path);
    await clock.advance(60_000);
    await session.input({ text: 'Hi' });
    await clock.advance(0);
    expect(stream.events.map(brief)).toEqual(['input Hi']);
    await house.pump();
    await clock.advance(0);
    expect(stream.events.map(brief).slice(1)).toEqual([
      'status running',
      'turn 1',
      'call c1',
      'status input_required',
    ]);
    await session.respond({ call_id: 'c1', progress: { percent: 10 } });
    await clock.advance(0);
    expect(stream.events.at(-1)?.data).toMatchObject({ percent: 10 });
    await session.respond({ call_id: 'c1', result: 1 });
    await clock.advance(0);
    expect(stream.events.map(brief).at(-1)).toBe('task c1 completed');
  });

  it('tells within a second what another process did', async () => {
    const { house, path, clock, session } = await open();
    const stream = await openStream(house, path);
    await clock.advance(10_000);
    const input = { number: 1, inputId: 'a', text: 'Hi', atMs: clock.nowMs() };
    const owner = 'alice' as never;
    await house.ports.sessions.putInput({ owner, sessionId: session.id as never }, input);
    await clock.advance(1000);
    expect(stream.events.map(brief)).toEqual(['input Hi']);
  });

  it('says every 15 seconds that it is still there', async () => {
    const { house, path, clock } = await open();
    const stream = await openStream(house, path);
    await clock.advance(14_000);
    expect(stream.frames).toHaveLength(1);
    await clock.advance(47_000);
    expect(stream.frames.slice(1)).toEqual(
      Array.from({ length: 4 }, () => ({ comment: 'still here' })),
    );
  });

  it('tells words as they are spoken, after the turn has begun and before it is told', async () => {
    const model = testModel(() => ({ text: 'Hello there.' }));
    const slowly: Model = {
      ...model,
      async generate(request) {
        for (const piece of ['Hello', ' there.']) {
          request.onText(piece);
          await house.clock.sleep(300);
        }
        return model.generate({ ...request, onText: () => {} });
      },
    };
    const { house, create } = openSessions([], { model: slowly });
    const session = await create();
    const stream = await openStream(house, `${session.path}/events`);
    await session.say('Hi');
    await house.clock.advance(2000);
    const told = stream.frames.flatMap(({ event, data }) => (event ? [{ event, data }] : []));
    expect(told.map(({ event }) => event)).toEqual([
      'input',
      'status',
      'text_delta',
      'text_delta',
      'turn',
      'status',
    ]);
    expect(told[2]?.data).toEqual({ turn: 1, text: 'Hello' });
    expect(told[3]?.data).toEqual({ turn: 1, text: ' there.' });
    expect(stream.frames.filter(({ event }) => event === 'text_delta')[0]).not.toHaveProperty('id');
  });

  it('leaves out words of a turn that it has told in full', async () => {
    const { house, path, clock, session } = await open(['Hello there.']);
    const stream = await openStream(house, path);
    await session.say('Hi');
    await clock.advance(2000);
    const names = stream.frames.map(({ event }) => event).filter((event) => event !== undefined);
    expect(names).toEqual(['input', 'status', 'turn', 'status']);
  });

  it('has no words of another session, nor any for who comes later', async () => {
    const { house, path, clock, session, create } = await open(['Hello.', 'Else.']);
    const other = await create();
    const stream = await openStream(house, `${other.path}/events`);
    await session.say('Hi');
    await clock.advance(1000);
    expect(stream.frames).toEqual([{ retry: 1000 }]);
    const late = await openStream(house, path);
    await clock.advance(1000);
    expect(late.frames.filter(({ event }) => event === 'text_delta')).toEqual([]);
  });

  it('costs nothing any more when its reader has gone', async () => {
    const { house, path, clock } = await open();
    const before = clock.sleeping;
    const stream = await openStream(house, path);
    await clock.advance(1000);
    expect(clock.sleeping).toBe(before + 1);
    await stream.leave();
    await clock.advance(0);
    expect(clock.sleeping).toBe(before);
    await clock.advance(60_000);
    expect(clock.sleeping).toBe(before);
  });

  it('ends before its function does, and goes on from its last id', async () => {
    const { house, path, clock, session } = await open(['One.', 'Two.']);
    const options = { streamMs: streamMsMax };
    const stream = await openStream(house, path, { options });
    await session.say('Hi');
    await clock.advance(50_000);
    expect(stream.isOver).toBe(false);
    await clock.advance(4000);
    expect(stream.isOver).toBe(true);
    await session.say('Again');
    const lastEventId = stream.events.at(-1)?.id ?? '';
    const next = await openStream(house, path, { lastEventId, options });
    await clock.advance(1000);
    expect([...stream.events, ...next.events]).toEqual(await session.allEvents());
  });

  it('takes the id of its reader over that of its address', async () => {
    const { house, path, clock, session } = await open();
    await session.say('Hi');
    const [first, , third] = await session.allEvents();
    const stream = await openStream(house, `${path}?after=${first?.id}`, {
      lastEventId: third?.id ?? '',
    });
    await clock.advance(1000);
    expect(stream.events).toEqual(await session.allEvents(third?.id));
  });

  it('is cut when a store fails, and the log says so', async () => {
    const { house, path, clock } = await open();
    const stream = await openStream(house, path);
    await clock.advance(100);
    const sessions = house.ports.sessions as { turnsAfter: unknown };
    sessions.turnsAfter = () => Promise.reject(new Error('no store'));
    await clock.advance(2000);
    expect(house.facts).toContain('stream failed');
    await stream.leave().catch(() => {});
  });
});
