import { describe, expect, it } from 'vitest';
import { call, openSessions, ownTool } from './session-door.ts';

const approve = ownTool('approve');

describe('POST /v1/sessions', () => {
  it('makes an idle session', async () => {
    const { ask } = openSessions();
    const { status, json } = await ask('/v1/sessions', { json: {} });
    expect(status).toBe(201);
    const session_id = expect.stringMatching(/^sess_[A-Za-z0-9_-]{32}$/);
    expect(json).toEqual({ session_id, status: 'idle' });
  });

  it('keeps what was agreed, with the defaults for the rest', async () => {
    const { ask, house } = openSessions();
    const { json } = await ask('/v1/sessions', {
      json: {
        system: 'Be brief.',
        model: 'scripted',
        tools: ['list_users', ownTool('approve', { results: 2, progress_at: [50, 25, 50] })],
        webhook_url: 'https://example.com/hook',
        policy: { max_turns: 3, double_text: 'merge' },
      },
    });
    const { items } = await house.ports.sessions.list('alice' as never, { limit: 1 });
    expect(items).toMatchObject([
      {
        sessionId: json.session_id,
        system: 'Be brief.',
        model: 'scripted',
        tools: ['list_users'],
        ownTools: [{ name: 'approve', results: 2, progressAt: [25, 50] }],
        webhookUrl: 'https://example.com/hook',
        policy: {
          pending: 'all',
          doubleText: 'merge',
          consolidation: 'auto',
          slots: 3,
          turnsMax: 3,
          debounceMs: 200,
          progress: 'when_idle',
        },
      },
    ]);
  });

  it.each([
    [{ tools: ['list_users', 'lst_users'] }, 'tools.1', /no tool named "lst_users"/],
    [{ tools: ['list_users', 'list_users'] }, 'tools.1', /already/],
    [{ tools: [ownTool('not legal')] }, 'tools.0.name', /letters/],
    [{ tools: [ownTool('read_result')] }, 'tools.0.name', /long results/],
    [{ tools: [ownTool('list_users'), 'list_users'] }, 'tools.1', /already/],
    [{ tools: [approve, approve] }, 'tools.1.name', /already/],
    [{ tools: [{ ...approve, long_running: false }] }, 'tools.0.long_running', /./],
    [{ tools: [{ ...approve, results: 0 }] }, 'tools.0.results', /./],
    [{ tools: [{ ...approve, progress_at: [101] }] }, 'tools.0.progress_at.0', /./],
    [
      { tools: [{ ...approve, input_schema: { type: 'array' } }] },
      'tools.0.input_schema.type',
      /./,
    ],
    [{ tools: [{ ...approve, colour: 'red' }] }, 'tools.0.colour', /not known/],
    [{ tools: [7] }, 'tools.0', /./],
    [{ tools: [ownTool('big', { input_schema: { x: 'x'.repeat(70_000) } })] }, 'tools', /bytes/],
    [{ system: 'x'.repeat(65_537) }, 'system', /bytes/],
    [{ policy: { slots: 0 } }, 'policy.slots', /./],
    [{ policy: { slots: 11 } }, 'policy.slots', /./],
    [{ policy: { max_turns: 51 } }, 'policy.max_turns', /./],
    [{ policy: { debounce_ms: 2001 } }, 'policy.debounce_ms', /./],
    [{ policy: { debounce_ms: 0.5 } }, 'policy.debounce_ms', /./],
    [{ policy: { pending: 'some' } }, 'policy.pending', /./],
    [{ policy: { turnsMax: 3 } }, 'policy.turnsMax', /not known/],
    [{ colour: 'red' }, 'colour', /not known/],
  ])('refuses %j', async (json, path, message) => {
    const { ask, house } = openSessions();
    const answer = await ask('/v1/sessions', { json });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'invalid_request' });
    expect(answer.json.errors).toEqual([{ path, message: expect.stringMatching(message) }]);
    expect((await house.ports.sessions.list('alice' as never, { limit: 1 })).items).toEqual([]);
  });
});

describe('POST /v1/sessions/:id/input', () => {
  it('takes words, and the same input id twice is one input', async () => {
    const { create, settle } = openSessions(['Hello.']);
    const session = await create();
    const first = await session.input({ text: 'Hi', input_id: 'a' });
    expect([first.status, first.json]).toEqual([202, { input_id: 'a' }]);
    expect(await session.input({ text: 'Hi', input_id: 'a' })).toMatchObject({ text: first.text });
    await settle();
    expect((await session.input({ text: 'Hi', input_id: 'a' })).status).toBe(202);
    await settle();
    expect((await session.history()).filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 1 });
  });

  it('refuses other words under the same id', async () => {
    const { create } = openSessions();
    const session = await create();
    await session.input({ text: 'Hi', input_id: 'a' });
    const { status, json } = await session.input({ text: 'Ho', input_id: 'a' });
    expect([status, json.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('makes an id where none is given', async () => {
    const session = await openSessions().create();
    const { json } = await session.input({ text: 'Hi' });
    expect(json).toEqual({ input_id: expect.stringMatching(/^input_/) });
  });

  it.each([
    [{ text: '' }, 'text'],
    [{ text: ' \n' }, 'text'],
    [{}, 'text'],
    [{ text: 7 }, 'text'],
    [{ text: 'é'.repeat(32_769) }, 'text'],
    [{ text: 'Hi', input_id: '' }, 'input_id'],
    [{ text: 'Hi', input_id: 'a'.repeat(129) }, 'input_id'],
    [{ text: 'Hi', role: 'system' }, 'role'],
  ])('refuses %j', async (json, path) => {
    const session = await openSessions().create();
    const answer = await session.input(json);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.errors).toMatchObject([{ path }]);
  });

  it('takes 64 KiB', async () => {
    const session = await openSessions().create();
    expect((await session.input({ text: 'x'.repeat(65_536) })).status).toBe(202);
  });

  it('is refused while the model speaks where the policy says so', async () => {
    const { create } = openSessions();
    const session = await create({ policy: { double_text: 'reject' } });
    expect((await session.input({ text: 'Hi' })).status).toBe(202);
    const { status, json } = await session.input({ text: 'And?' });
    expect([status, json.code]).toEqual([409, 'session_busy']);
  });
});

describe('GET /v1/sessions/:id', () => {
  it('shows an idle session', async () => {
    const session = await openSessions().create();
    expect(await session.view()).toEqual({
      session_id: session.id,
      status: 'idle',
      input_required_tool_ids: [],
      pending: [],
      turns: 0,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('runs from the input to the reply, and says then why it rests', async () => {
    const { create } = openSessions(['Hello.']);
    const session = await create();
    await session.input({ text: 'Hi' });
    const running = await session.view();
    expect(running).toMatchObject({ status: 'running', turns: 0 });
    expect(running).not.toHaveProperty('finish_reason');
    await session.say('And?');
    expect(await session.view()).toMatchObject({ status: 'idle', finish_reason: 'stop' });
  });

  it('waits for calls, and shows which of them run', async () => {
    const calls = ['a', 'b', 'c'].map((id) => call(id, 'demo_wait', { seconds: 60, progress: 2 }));
    const { create, house } = openSessions([{ calls }]);
    const session = await create({ policy: { slots: 2 } });
    await session.say('Go');
    expect(await session.view()).toMatchObject({
      status: 'input_required',
      finish_reason: 'input_required',
      input_required_tool_ids: ['a', 'b', 'c'],
      pending: [
        { call_id: 'a', tool: 'demo_wait', state: 'running', task_id: expect.any(String) },
        { call_id: 'b', state: 'running' },
        { call_id: 'c', state: 'waiting' },
      ],
      turns: 1,
    });
    const [first, , last] = (await session.view()).pending as readonly Record<string, unknown>[];
    expect(last).not.toHaveProperty('task_id');
    await house.runFor(35_000);
    const [half] = (await session.view()).pending as readonly Record<string, unknown>[];
    expect(half).toMatchObject({ task_id: first?.task_id, progress: { percent: 50 } });
  });

  it('leaves out a call that has ended while others go on', async () => {
    const { create } = openSessions([{ calls: [call('a', 'approve'), call('b', 'approve')] }]);
    const session = await create({ tools: [approve] });
    await session.say('Go');
    await session.respond({ call_id: 'a', result: 1 });
    expect(await session.view()).toMatchObject({
      status: 'input_required',
      input_required_tool_ids: ['b'],
    });
    await session.respond({ call_id: 'b', result: 2 });
    expect(await session.view()).toMatchObject({ status: 'running', pending: [] });
  });

  it('says when the model was stopped after too many turns', async () => {
    const { create } = openSessions([
      { calls: [call('a', 'list_users')] },
      { calls: [call('b', 'list_users')] },
    ]);
    const session = await create({ policy: { max_turns: 2 } });
    await session.say('Go');
    expect(await session.view()).toMatchObject({
      status: 'idle',
      finish_reason: 'max_turns',
      turns: 2,
    });
  });

  it('has failed when the provider refused, and goes on with the next input', async () => {
    const replies = ['refused', 'reply'] as const;
    let asked = 0;
    const base = openSessions();
    const model = await base.house.ports.model(undefined);
    const { create } = openSessions([], {
      model: {
        ...model,
        generate: async (request) =>
          replies[asked++] === 'refused'
            ? { kind: 'refused', detail: 'no such model' }
            : model.generate(request),
      },
    });
    const session = await create();
    await session.say('Hi');
    expect(await session.view()).toMatchObject({ status: 'failed', finish_reason: 'error' });
    await session.say('Again?');
    expect(await session.view()).toMatchObject({ status: 'idle', finish_reason: 'stop' });
  });
});

describe('GET /v1/sessions', () => {
  it('lists your own, newest first, page by page', async () => {
    const { create, ask, house } = openSessions();
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      made.push((await create()).id);
      await house.clock.advance(10);
    }
    await create({}, 'bob');
    const first = await ask('/v1/sessions?limit=2');
    const summary = { status: 'idle', turns: 0, created_at: expect.any(String) };
    expect(first.json.items).toEqual([
      { session_id: made[2], ...summary },
      { session_id: made[1], ...summary },
    ]);
    const { json } = await ask(`/v1/sessions?limit=2&cursor=${String(first.json.cursor)}`);
    expect(json).toEqual({ items: [{ session_id: made[0], ...summary }] });
  });

  it.each(['cursor=garbage', 'limit=0', 'limit=101', 'limit=0x10', 'limit=1e1', 'limit='])(
    'refuses %s',
    async (query) => {
      const { ask } = openSessions();
      const { status, json } = await ask(`/v1/sessions?${query}`);
      expect([status, json.code]).toEqual([400, 'invalid_request']);
    },
  );
});
