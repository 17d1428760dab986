import { describe, expect, it } from 'vitest';
import { call, openSessions, ownTool, type Said } from './session-door.ts';

const tools = [ownTool('approve'), ownTool('collect', { results: 3 }), 'demo_wait'];

/** A session that waits for one call of a tool. */
async function waitingFor(tool: string, more: readonly Said[] = ['Done.']) {
  const sessions = openSessions([{ calls: [call('c1', tool, argumentsOf(tool))] }, ...more]);
  const session = await sessions.create({ tools });
  await session.say('Go');
  return { ...sessions, session };
}

const argumentsOf = (tool: string) => (tool === 'demo_wait' ? { seconds: 60 } : { of: 'it' });

const responsesIn = (entries: readonly Record<string, unknown>[]) =>
  entries.flatMap(({ tool_response: response }) => (response ? [response] : []));

describe('a response', () => {
  it('resolves the call that waits for it, and the session goes on', async () => {
    const { session, settle } = await waitingFor('approve');
    const answer = await session.respond({ call_id: 'c1', result: { by: 'Ann' } });
    expect([answer.status, answer.json]).toEqual([202, { outcome: 'resolved' }]);
    await settle();
    expect(await session.view()).toMatchObject({ status: 'idle', pending: [], turns: 2 });
    expect(responsesIn(await session.history())).toEqual([
      { call_id: 'c1', name: 'approve', status: 'completed', result: { by: 'Ann' } },
    ]);
  });

  it.each([null, false, 0, '', [], {}])('may be %j', async (result) => {
    const { session, settle } = await waitingFor('approve');
    expect((await session.respond({ call_id: 'c1', result })).status).toBe(202);
    await settle();
    expect(responsesIn(await session.history())).toMatchObject([{ status: 'completed', result }]);
  });

  it('may say that it failed', async () => {
    const { session, settle } = await waitingFor('approve');
    const answer = await session.respond({ call_id: 'c1', error: { message: 'Ann said no' } });
    expect(answer.json).toEqual({ outcome: 'resolved' });
    await settle();
    expect(responsesIn(await session.history())).toEqual([
      {
        call_id: 'c1',
        name: 'approve',
        status: 'failed',
        error: { code: 'tool_failed', message: 'Ann said no' },
      },
    ]);
  });

  it.each([['before', 0] as const, ['after', 3000] as const])(
    'is known again %s the session has gone on, and nothing is written',
    async (_when, ms) => {
      const { session, house, settle } = await waitingFor('approve');
      await session.respond({ call_id: 'c1', result: { a: 1, b: 2 } });
      await house.runFor(ms);
      const { taskId } = (await house.ports.tasks.list('alice' as never, { limit: 1 }))
        .items[0] ?? {
        taskId: '' as never,
      };
      const before = await house.task({ owner: 'alice' as never, taskId });
      const again = await session.respond({ call_id: 'c1', result: { b: 2, a: 1 } });
      expect([again.status, again.json]).toEqual([200, { outcome: 'already_resolved' }]);
      expect(await house.task({ owner: 'alice' as never, taskId })).toEqual(before);
      const other = await session.respond({ call_id: 'c1', result: { a: 1 } });
      expect([other.status, other.json.code]).toEqual([409, 'response_conflict']);
      const failed = await session.respond({ call_id: 'c1', error: 'no' });
      expect([failed.status, failed.json.code]).toEqual([409, 'response_conflict']);
      await settle();
      expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
    },
  );

  it('ends a task of ours: the first end wins', async () => {
    const { session, house, settle } = await waitingFor('demo_wait');
    expect((await session.respond({ call_id: 'c1', result: { early: true } })).status).toBe(202);
    await settle();
    expect(responsesIn(await session.history())).toMatchObject([{ result: { early: true } }]);
    await house.runFor(90_000);
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
  });

  it('comes too late for a task of ours that has ended', async () => {
    const { session, house } = await waitingFor('demo_wait');
    await house.runFor(90_000);
    const { status, json } = await session.respond({ call_id: 'c1', result: 'mine' });
    expect([status, json.code]).toEqual([409, 'response_conflict']);
  });

  it('is for a call that the session made', async () => {
    const { session } = await waitingFor('approve');
    for (const call_id of ['c2', 'c1 ', 'x'.repeat(512)]) {
      const { status, json } = await session.respond({ call_id, result: 1 });
      expect([status, json.code]).toEqual([404, 'call_not_found']);
    }
  });

  it('is not for a quick call', async () => {
    const { create } = openSessions([{ calls: [call('q1', 'list_users')] }]);
    const session = await create();
    await session.say('Go');
    expect((await session.respond({ call_id: 'q1', result: 1 })).json.code).toBe('call_not_found');
  });

  it('that is not JSON is refused, and the call stays pending', async () => {
    const { session, ask, settle } = await waitingFor('approve');
    const body = '{"call_id":"c1","result":';
    const { status, json } = await ask(`${session.path}/responses`, { body });
    expect([status, json.code]).toEqual([400, 'invalid_json']);
    await settle();
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['c1'], turns: 1 });
    expect((await session.respond({ call_id: 'c1', result: 1 })).status).toBe(202);
  });

  it.each([
    [{ call_id: 'c1' }, ''],
    [{ call_id: 'c1', result: 1, error: 'no' }, ''],
    [{ call_id: 'c1', result: null, progress: {} }, ''],
    [{ call_id: 'c1', error: '' }, 'error'],
    [{ call_id: 'c1', error: { code: 'x' } }, 'error.message'],
    [{ call_id: 'c1', progress: { percent: 101 } }, 'progress.percent'],
    [{ call_id: 'c1', progress: { percnt: 1 } }, 'progress.percnt'],
    [{ call_id: '', result: 1 }, 'call_id'],
    [{ result: 1 }, 'call_id'],
    [{ call_id: 'c1', result: 1, also: 2 }, 'also'],
  ])('of the wrong shape is refused: %j', async (json, path) => {
    const { session } = await waitingFor('approve');
    const answer = await session.respond(json);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.errors).toMatchObject([{ path }]);
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['c1'] });
  });
});

describe('a response of several', () => {
  it('is counted, and the last one resolves the call', async () => {
    const { session, settle } = await waitingFor('collect', ['One.', 'Two.', 'All.']);
    const first = await session.respond({ call_id: 'c1', result: 1 });
    expect([first.status, first.json]).toEqual([
      202,
      { outcome: 'partial', received: 1, expected: 3 },
    ]);
    await settle();
    expect((await session.respond({ call_id: 'c1', result: 2 })).json).toMatchObject({
      outcome: 'partial',
      received: 2,
    });
    await settle();
    expect(await session.view()).toMatchObject({ status: 'input_required', turns: 3 });
    const last = await session.respond({ call_id: 'c1', result: 3 });
    expect([last.status, last.json.outcome]).toEqual([202, 'resolved']);
    await settle();
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 4 });
  });
});

describe('progress', () => {
  it('is shown and resolves nothing', async () => {
    const { session, settle } = await waitingFor('approve');
    const progress = { percent: 40, message: 'asked Ann' };
    const answer = await session.respond({ call_id: 'c1', progress });
    expect([answer.status, answer.json]).toEqual([202, { outcome: 'progressed' }]);
    await settle();
    expect(await session.view()).toMatchObject({
      status: 'input_required',
      pending: [{ call_id: 'c1', state: 'running', progress }],
      turns: 1,
    });
  });

  it('is heard by the model at the marks that its own tool names', async () => {
    const { create, house } = openSessions([{ calls: [call('c1', 'build')] }, 'Half way.']);
    const session = await create({ tools: [ownTool('build', { progress_at: [50] })] });
    await session.say('Go');
    await session.respond({ call_id: 'c1', progress: { percent: 20 } });
    await house.runFor(10_000);
    expect(await session.view()).toMatchObject({ turns: 1 });
    await session.respond({ call_id: 'c1', progress: { percent: 60 } });
    await house.runFor(10_000);
    expect(await session.view()).toMatchObject({ turns: 2, status: 'input_required' });
  });

  it('comes too late for a call that has ended', async () => {
    const { session } = await waitingFor('approve');
    await session.respond({ call_id: 'c1', result: 1 });
    const { status, json } = await session.respond({ call_id: 'c1', progress: { percent: 1 } });
    expect([status, json.code]).toEqual([409, 'task_ended']);
  });
});

describe('a call that waits for a slot', () => {
  const calls = [call('a', 'demo_wait', { seconds: 5 }), call('b', 'demo_wait', { seconds: 5 })];
  const waiting = async () => {
    const sessions = openSessions([{ calls }, 'Done.']);
    const session = await sessions.create({ policy: { slots: 1 } });
    await session.say('Go');
    return { ...sessions, session };
  };

  it('may be answered, and is never run', async () => {
    const { session, house } = await waiting();
    const answer = await session.respond({ call_id: 'b', result: 'mine' });
    expect([answer.status, answer.json]).toEqual([202, { outcome: 'resolved' }]);
    expect(await session.respond({ call_id: 'b', result: 'mine' })).toMatchObject({ status: 200 });
    await house.runFor(30_000);
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
    expect(responsesIn(await session.history())).toMatchObject([
      { call_id: 'a', status: 'completed' },
      { call_id: 'b', status: 'completed', result: 'mine' },
    ]);
    const { items } = await house.ports.tasks.list('alice' as never, { limit: 9 });
    const attempts = items.map(({ claim }) => claim.fence);
    expect(attempts.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  it('cannot be half done', async () => {
    const { session } = await waiting();
    const { status, json } = await session.respond({ call_id: 'b', progress: { percent: 50 } });
    expect([status, json.code]).toEqual([409, 'response_conflict']);
    expect(await session.view()).toMatchObject({ pending: [{}, { state: 'waiting' }] });
  });

  it('may be cancelled, and never begins', async () => {
    const { session, house } = await waiting();
    const { status, json } = await session.cancel('b');
    expect([status, json.status]).toEqual([200, 'cancelled']);
    await house.runFor(30_000);
    expect(responsesIn(await session.history())).toMatchObject([
      { call_id: 'a', status: 'completed' },
      { call_id: 'b', status: 'cancelled' },
    ]);
  });
});

describe('POST /v1/sessions/:id/calls/:call_id/cancel', () => {
  it.each(['approve', 'demo_wait'])('cancels the task of a call of %s', async (tool) => {
    const { session, settle } = await waitingFor(tool);
    const { status, json } = await session.cancel('c1');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: 'cancelled',
      tool,
      call_id: 'c1',
      session_id: session.id,
      ended_at: expect.any(String),
    });
    await settle();
    expect(responsesIn(await session.history())).toMatchObject([{ status: 'cancelled' }]);
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
  });

  it('is refused when the call has ended', async () => {
    const { session, settle } = await waitingFor('approve');
    await session.respond({ call_id: 'c1', result: 1 });
    for (const wait of [async () => {}, settle]) {
      await wait();
      const { status, json } = await session.cancel('c1');
      expect([status, json.code]).toEqual([409, 'task_ended']);
    }
  });

  it('is refused when there is no such call', async () => {
    const { session } = await waitingFor('approve');
    for (const callId of ['c2', '%00', 'x'.repeat(2000)]) {
      const { status, json } = await session.cancel(callId);
      expect([status, json.code]).toEqual([404, 'call_not_found']);
    }
  });
});

describe('a tool of the caller with a name of ours', () => {
  it('has no rules of ours', async () => {
    const { create, settle } = openSessions([{ calls: [call('c1', 'batch_create_users_async')] }]);
    const session = await create({ tools: [ownTool('batch_create_users_async')] });
    await session.say('Go');
    expect((await session.respond({ call_id: 'c1', result: 'anything' })).status).toBe(202);
    await settle();
    expect(await session.view()).toMatchObject({ status: 'idle', turns: 2 });
  });

  it('of ours keeps its rules', async () => {
    const args = { users_data: [{ name: 'Ann', email: 'ann@example.com' }], delay: 50 };
    const made = [{ calls: [call('c1', 'batch_create_users_async', args)] }];
    const { create } = openSessions(made);
    const session = await create();
    await session.say('Go');
    const { status, json } = await session.respond({ call_id: 'c1', result: 'anything' });
    expect([status, json.code]).toEqual([422, 'result_schema_mismatch']);
    expect(await session.view()).toMatchObject({ input_required_tool_ids: ['c1'] });
  });
});
