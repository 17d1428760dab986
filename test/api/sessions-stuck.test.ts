import { describe, expect, it } from 'vitest';
import type { Model, ModelRequest } from '../../functions/core/model.ts';
import { testModel } from '../test-model.ts';
import { call, openSessions } from './session-door.ts';

/** A model that writes down what it was asked. */
function listening() {
  const requests: ModelRequest[] = [];
  const model = testModel((request) => {
    requests.push(request);
    return {};
  });
  return { model, requests };
}

const refusing: Model = {
  ...testModel(),
  generate: async () => ({ kind: 'refused', detail: 'The model x does not exist.' }),
};

describe('nothing that a user says or sets jams a session', () => {
  it('half a character is made whole before it is kept', async () => {
    const { model, requests } = listening();
    const session = await openSessions([], { model }).create({ system: 'be \ud800 kind' });
    await session.say('bad \ud800 end');
    const texts = requests[0]?.entries.map((entry) => ('text' in entry ? entry.text : '')) ?? [];
    expect(texts[0]).toMatch(/^be \uFFFD kind/);
    expect(texts[1]).toBe('bad \uFFFD end');
  });

  it('a model that nobody knows is refused by name', async () => {
    const { ask } = openSessions();
    for (const model of ['nope:x', 'garbage', 'anthropic:']) {
      const answer = await ask('/v1/sessions', { json: { model } });
      expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
      expect(answer.text).toContain(`not \\"${model}\\"`);
    }
    const known = await ask('/v1/sessions', { json: { model: 'bedrock:a.b-v1:0' } });
    expect(known.status).toBe(201);
  });

  it('a failed session says why, and its audit too', async () => {
    const session = await openSessions([], { model: refusing }).create();
    await session.say('Hi');
    const message = 'The model x does not exist.';
    expect(await session.view()).toMatchObject({
      status: 'failed',
      finish_reason: 'error',
      error: { code: 'model_refused', message },
    });
    expect((await session.audit()).rows).toMatchObject([{ kind: 'turn', error: message }]);
  });
});

describe('the tools of a session', () => {
  const offered = async (json: Record<string, unknown>) => {
    const { model, requests } = listening();
    const session = await openSessions([], { model }).create(json);
    await session.say('Hi');
    return requests[0]?.tools.map(({ name }) => name) ?? [];
  };

  it('can always read on where a long value was cut', async () => {
    expect(await offered({ tools: ['demo_wait'] })).toEqual(['demo_wait', 'read_result']);
  });

  it('do not hold it up by waiting, unless they are asked for', async () => {
    const all = await offered({});
    expect(all).toContain('get_task');
    expect(all).not.toContain('wait_for_task');
    expect(await offered({ tools: ['wait_for_task'] })).toContain('wait_for_task');
  });
});

describe('who is refused', () => {
  it('finds it in the audit', async () => {
    const own = {
      name: 'mine',
      description: 'Mine.',
      input_schema: { type: 'object' },
      long_running: true,
    };
    const { create, ask, settle } = openSessions([{ calls: [call('c1', 'mine')] }]);
    const session = await create({ tools: [own] });
    await session.say('Go');
    await session.respond({ call_id: 'c1', result: 1 });
    await settle();
    expect((await session.respond({ call_id: 'c1', result: 2 })).status).toBe(409);
    await settle();
    const { json } = await ask('/v1/audit');
    const row = { kind: 'refused', what: 'session.responses', code: 'response_conflict' };
    expect(json.items).toMatchObject([row]);
    await session.say('And now?');
    const rows = (await session.audit()).rows.filter(({ kind }) => kind !== 'arbitration');
    expect(rows.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'refused', 'turn']);
    expect(rows[2]).toEqual({ ...row, at: expect.any(String) });
  });
});
