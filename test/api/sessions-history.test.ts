import { describe, expect, it } from 'vitest';
import { call, openSessions, ownTool } from './session-door.ts';

const at = expect.stringMatching(/^2026-01-01T.*Z$/);
const tools = [ownTool('approve'), 'list_users'];

describe('GET /v1/sessions/:id/history', () => {
  it('is what was last sent to the model, followed by the reply to it', async () => {
    const { create } = openSessions([
      { text: 'One moment.', calls: [call('a', 'approve', { of: 'it' }), call('q', 'list_users')] },
      'Ann has not answered yet.',
      'Ann said yes.',
    ]);
    const session = await create({ system: 'Be brief.', tools });
    await session.say('Go');
    const system = { role: 'system', text: expect.stringMatching(/^Be brief\./), at };
    const user = { role: 'user', text: 'Go', trigger: 'user', at };
    const tool_calls = [
      { id: 'a', name: 'approve', arguments: { of: 'it' } },
      { id: 'q', name: 'list_users', arguments: {} },
    ];
    const reply = { role: 'assistant', text: 'One moment.', tool_calls, at };
    expect(await session.history()).toEqual([system, user, reply]);

    await session.say('And?');
    expect((await session.history()).slice(3)).toEqual([
      { role: 'tool', tool_response: { call_id: 'a', name: 'approve', status: 'working' }, at },
      {
        role: 'tool',
        tool_response: {
          call_id: 'q',
          name: 'list_users',
          status: 'completed',
          result: { users: [] },
        },
        at,
      },
      { role: 'user', text: 'And?', trigger: 'user', at },
      { role: 'assistant', text: 'Ann has not answered yet.', at },
    ]);
  });

  it('shows an event in the place of the user, with its call', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }, 'Wait.', 'Yes.']);
    const session = await create({ tools, policy: { consolidation: 'append' } });
    await session.say('Go');
    await session.say('And?');
    await session.respond({ call_id: 'a', result: { by: 'Ann' } });
    await settle();
    const entries = await session.history();
    expect(entries.at(-2)).toEqual({
      role: 'user',
      text: expect.stringContaining('Ann'),
      event: { call_id: 'a', sequence: 1 },
      trigger: 'response',
      at,
    });
    expect(entries.at(-1)).toEqual({ role: 'assistant', text: 'Yes.', at });
  });

  it('shows a call that failed', async () => {
    const { create } = openSessions([{ calls: [call('x', 'no_such_tool')] }, 'Sorry.']);
    const session = await create({ tools });
    await session.say('Go');
    expect((await session.history()).at(-2)).toMatchObject({
      role: 'tool',
      tool_response: {
        call_id: 'x',
        status: 'failed',
        error: { code: 'tool_failed', message: expect.stringContaining('no_such_tool') },
      },
    });
  });

  it('shows only the head of what was too large to show the model', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools });
    await session.say('Go');
    await session.respond({ call_id: 'a', result: 'x'.repeat(100_000) });
    await settle();
    const entries = await session.history();
    expect(JSON.stringify(entries).length).toBeLessThan(10_000);
    expect(entries.find(({ role }) => role === 'tool')).toMatchObject({
      tool_response: {
        result: { cut: true, bytes: 100_002, head: expect.stringMatching(/^"xxx/) },
      },
    });
  });

  it('is empty before anything was said', async () => {
    const session = await openSessions().create({ tools: ['list_users'] });
    expect(await session.history()).toEqual([]);
  });

  it('stays readable when it has been compacted', async () => {
    const { create } = openSessions();
    const session = await create({ tools: ['list_users'] });
    for (let n = 0; n < 80; n += 1) await session.say(`say ${n}`);
    const entries = await session.history();
    expect(entries.at(-2)).toMatchObject({ role: 'user', text: 'say 79' });
    expect(entries.some(({ text }) => text === 'say 40')).toBe(true);
  });
});

describe('GET /v1/sessions/:id/audit', () => {
  it('has a row for every turn: what set it off, what it consumed, what it cost', async () => {
    const { create, settle } = openSessions([{ calls: [call('a', 'approve')] }, 'Yes.']);
    const session = await create({ tools });
    await session.input({ text: 'Go', input_id: 'i1' });
    await settle();
    await session.respond({ call_id: 'a', progress: { percent: 10 } });
    await session.respond({ call_id: 'a', result: 1 });
    await settle();
    const { status, type, text, rows } = await session.audit();
    expect([status, type]).toEqual([200, 'application/jsonl']);
    expect(text.endsWith('\n')).toBe(true);
    const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
    const row = { at, kind: 'turn', model: 'test', usage, began_at: at, ended_at: at };
    expect(rows).toEqual([
      { ...row, turn: 1, trigger: 'user', actor: 'i1', consumed: ['i1'] },
      { ...row, turn: 2, trigger: 'response', actor: 'a', consumed: ['a#2'] },
    ]);
  });

  it('has a row for two that raced for one turn', async () => {
    const { create, settle, house } = openSessions([{ calls: [call('a', 'approve')] }]);
    const session = await create({ tools });
    await session.say('Go');
    await session.respond({ call_id: 'a', result: 1 });
    await house.clock.advance(30);
    await session.input({ text: 'And?', input_id: 'i2' });
    await settle();
    const { rows } = await session.audit();
    expect(rows.map(({ kind }) => kind)).toEqual(['turn', 'arbitration', 'turn']);
    expect(rows[1]).toEqual({
      at,
      kind: 'arbitration',
      winner: 'user:i2',
      loser: 'task:a',
      gap_ms: 30,
      rule: 'user_first',
    });
    expect(rows[2]).toMatchObject({ trigger: 'user', actor: 'i2', consumed: ['i2', 'a#1'] });
  });

  it('has all turns of a long session, in order', async () => {
    const { create } = openSessions();
    const session = await create();
    for (let n = 0; n < 70; n += 1) await session.say(`say ${n}`);
    const { rows } = await session.audit();
    expect(rows.map(({ turn }) => turn)).toEqual(Array.from({ length: 70 }, (_, n) => n + 1));
  });

  it('is empty before anything was said', async () => {
    const { create } = openSessions();
    const session = await create();
    expect((await session.audit()).text).toBe('');
  });
});
