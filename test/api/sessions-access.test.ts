import { describe, expect, it } from 'vitest';
import type { Asking } from './door.ts';
import { call, openSessions, ownTool } from './session-door.ts';

/** Every route of a session, with a request that its owner's session would take. */
const routes: readonly (readonly [string, Asking])[] = [
  ['', {}],
  ['/input', { json: { text: 'Hi' } }],
  ['/responses', { json: { call_id: 'c1', result: 1 } }],
  ['/calls/c1/cancel', { method: 'POST' }],
  ['/history', {}],
  ['/events', {}],
  ['/events?format=json', {}],
  ['/events?format=json&after=1.1.1', {}],
  ['/audit', {}],
];

const unknown = `sess_${'A'.repeat(32)}`;
const malformed = ['x', 'sess_', `sess_${'A'.repeat(33)}`, `${unknown}%23turn`, '%00', 'é'];

describe('a session of another owner', () => {
  it.each(routes)('is not there: %s', async (route, asking) => {
    const { create, ask, house } = openSessions([{ calls: [call('c1', 'approve')] }]);
    const session = await create({ tools: [ownTool('approve')] });
    await session.say('Go');
    const before = await session.view();
    const answers = [];
    for (const id of [session.id, unknown, ...malformed]) {
      answers.push(await ask(`/v1/sessions/${id}${route}`, { ...asking, as: 'bob' }));
    }
    for (const { status, text, type } of answers) {
      expect([status, type]).toEqual([404, 'application/problem+json']);
      expect(text).toBe(answers[0]?.text);
    }
    expect(answers[0]?.json).toMatchObject({ code: 'session_not_found' });
    await house.runFor(3000);
    expect(await session.view()).toEqual(before);
  });

  it('is not listed', async () => {
    const { create, ask } = openSessions();
    await create();
    expect((await ask('/v1/sessions', { as: 'bob' })).json).toEqual({ items: [] });
  });

  it('has headers like those of a session that never was', async () => {
    const { create, ask } = openSessions();
    const session = await create();
    const [foreign, never] = await Promise.all(
      [session.id, unknown].map((id) => ask(`/v1/sessions/${id}`, { as: 'bob' })),
    );
    expect([...(foreign?.headers ?? [])]).toEqual([...(never?.headers ?? [])]);
  });
});

describe('whoever nobody knows', () => {
  it.each([['', {}] as const, ...routes])('learns nothing: %s', async (route, asking) => {
    const { create, ask } = openSessions();
    const session = await create();
    const headers = { authorization: 'Bearer nobody' };
    const answer = await ask(`${session.path}${route}`, { ...asking, headers });
    expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized']);
  });
});

describe('a body of a session route', () => {
  const posts = ['', '/input', '/responses'];

  it.each(posts)('must be JSON: %s', async (route) => {
    const { create, ask } = openSessions();
    const { path } = await create();
    const at = route === '' ? '/v1/sessions' : `${path}${route}`;
    for (const body of ['{"text":', 'text=Hi', '']) {
      const { status, json } = await ask(at, { body });
      expect([status, json.code]).toEqual([400, 'invalid_json']);
    }
    for (const body of ['null', '[]', '"Hi"']) {
      const { status, json } = await ask(at, { body });
      expect([status, json.code]).toEqual([400, 'invalid_request']);
    }
  });

  it.each(posts)('has at most one mebibyte: %s', async (route) => {
    const { create, ask } = openSessions();
    const { path } = await create();
    const at = route === '' ? '/v1/sessions' : `${path}${route}`;
    const body = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    const { status, json } = await ask(at, { body });
    expect([status, json.code]).toEqual([413, 'body_too_large']);
  });
});
