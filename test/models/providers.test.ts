import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Model } from '../../functions/core/model.ts';
import { modelRetryMs } from '../../functions/core/limits.ts';
import type { FakeProvider } from './fake-provider.ts';
import { testKey } from './fake-provider.ts';
import { meet, providers } from './providers.ts';
import {
  assistant,
  endEvent,
  event,
  placeholder,
  request,
  response,
  shown,
  system,
  user,
} from './sample-history.ts';

const deploy = { id: 'call_1', tool: 'deploy_to_staging', arguments: { version: 'v2.5.0' } };
const list = { id: 'call_2', tool: 'list_users' };
const result = { status: 'completed', url: 'https://staging.example.com', duration: '8m12s' };

/** What a session sends at every moment of a long call's life. */
const legalHistories = {
  'a first question': [system('Be brief.'), user('Hello')],
  'a result that was bound late': [
    user('Deploy v2.5.0'),
    assistant('', [deploy]),
    response('call_1', 'deploy_to_staging', { value: shown(result) }),
  ],
  'a placeholder, and the user going on': [
    system('Be brief.'),
    user('Deploy v2.5.0'),
    assistant('On it.', [deploy]),
    placeholder('call_1', 'deploy_to_staging', { deployment_id: 'd-789' }),
    user('How are you?'),
    user('Still there?'),
  ],
  'a mixed turn': [
    user('Deploy v2.5.0 and list the users'),
    assistant('', [deploy, list]),
    placeholder('call_1', 'deploy_to_staging'),
    response('call_2', 'list_users', { value: shown({ users: [] }) }),
    user('And?'),
  ],
  'progress, chat and the end as an event': [
    user('Deploy v2.5.0'),
    assistant('On it.', [deploy]),
    placeholder('call_1', 'deploy_to_staging'),
    user('Tell me a joke'),
    assistant('A boomerang walks into a bar. It comes back.'),
    event('call_1', 'working 50%', 'Half way', { kind: 'progress' }),
    assistant('It is at 50%.'),
    user('Thanks'),
    endEvent('call_1', result),
  ],
  'a failure and a cancelled call': [
    user('Deploy v2.5.0 and list the users'),
    assistant('', [deploy, list]),
    response('call_1', 'deploy_to_staging', { status: 'cancelled' }),
    response('call_2', 'list_users', {
      status: 'failed',
      error: { code: 'tool_failed', message: 'The table is gone.' },
    }),
  ],
  'arguments that were never JSON': [
    user('Deploy'),
    assistant('', [{ ...deploy, arguments: '{"version": ' }]),
    response('call_1', 'deploy_to_staging', {
      status: 'failed',
      error: { code: 'tool_failed', message: 'The arguments do not fit.' },
    }),
  ],
};

/** Each breaks one rule; a fake that takes it is worth nothing. */
const illegalHistories = {
  'a call without a response': [user('Deploy'), assistant('', [deploy]), user('Well?')],
  'a response without a call': [
    user('Deploy'),
    assistant('On it.'),
    response('call_1', 'deploy_to_staging', { value: shown(result) }),
  ],
  'two responses to one call': [
    user('Deploy'),
    assistant('', [deploy]),
    placeholder('call_1', 'deploy_to_staging'),
    response('call_1', 'deploy_to_staging', { value: shown(result) }),
  ],
  'a late response instead of an event': [
    user('Deploy'),
    assistant('', [deploy]),
    placeholder('call_1', 'deploy_to_staging'),
    user('Hi'),
    assistant('Hello.'),
    response('call_1', 'deploy_to_staging', { value: shown(result) }),
  ],
};

describe.each(providers)('$name', ({ name, wire }) => {
  let fake: FakeProvider;
  let model: Model;
  beforeEach(async () => {
    ({ fake, model } = await meet(name, wire));
  });
  afterEach(() => fake.close());

  it.each(Object.entries(legalHistories))('takes %s', async (_title, entries) => {
    const asked = request(entries);
    const outcome = await model.generate(asked);
    expect(outcome).toMatchObject({ kind: 'reply', reply: { text: 'Hello.', calls: [] } });
    expect(asked.pieces.length).toBeGreaterThan(1);
    expect(asked.pieces.join('')).toBe('Hello.');
    expect(fake.requests).toHaveLength(1);
  });

  it.each(Object.entries(illegalHistories))('is refused %s', async (_title, entries) => {
    const outcome = await model.generate(request(entries));
    expect(outcome).toMatchObject({ kind: 'refused', detail: expect.stringMatching(/^400: \w+/) });
  });

  it('sends every text, response and call id over the wire', async () => {
    const entries = legalHistories['progress, chat and the end as an event'];
    await model.generate(request(entries));
    const sent = JSON.stringify(fake.requests[0]?.body);
    for (const words of [
      'Deploy v2.5.0',
      'On it.',
      'Tell me a joke',
      'Half way',
      'Thanks',
      '8m12s',
    ]) {
      expect(sent).toContain(words);
    }
    expect(sent).toContain('call_1');
    expect(sent).toContain('task_call_1');
  });

  it('hears calls with their ids and arguments, and what it cost', async () => {
    fake.plan({
      kind: 'say',
      words: {
        text: 'On it.',
        calls: [
          { id: 'call_7', name: 'deploy_to_staging', input: { version: 'v1' } },
          { id: 'call_8', name: 'list_users', input: {} },
        ],
        usage: { input: 1200, output: 34, cached: 1000 },
      },
    });
    const outcome = await model.generate(request([user('Deploy v1 and list')]));
    expect(outcome).toMatchObject({
      kind: 'reply',
      reply: {
        text: 'On it.',
        calls: [
          { id: 'call_7', name: 'deploy_to_staging', arguments: { version: 'v1' } },
          { id: 'call_8', name: 'list_users', arguments: {} },
        ],
        usage: { inputTokens: 1200, outputTokens: 34, cachedTokens: 1000 },
      },
    });
  });

  it('keeps arguments that are not JSON as they came', async () => {
    const broken = '{"version": "v1';
    fake.plan({
      kind: 'say',
      words: {
        calls: [{ id: 'call_7', name: 'deploy_to_staging', input: broken }],
        stop: 'length',
      },
    });
    const outcome = await model.generate(request([user('Deploy v1')]));
    expect(outcome).toMatchObject({
      kind: 'reply',
      reply: { calls: [{ id: 'call_7', name: 'deploy_to_staging', arguments: broken }] },
    });
  });

  it.each([429, 500, 503, 529])('is busy on %i, for as long as it is told', async (status) => {
    fake.plan(
      { kind: 'fail', status, headers: { 'retry-after': '7' } },
      { kind: 'fail', status, headers: { 'retry-after-ms': '1500' } },
      { kind: 'fail', status },
    );
    const waits = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = await model.generate(request([user('Hi')]));
      waits.push(outcome.kind === 'busy' ? outcome.afterMs : outcome);
    }
    expect(waits).toEqual([7000, 1500, modelRetryMs]);
  });

  it.each(['garbage', 'break off', 'cut wire', 'overload mid-way'] as const)(
    'is busy when the answer ends in: %s',
    async (kind) => {
      fake.plan({ kind });
      const outcome = await model.generate(request([user('Hi')]));
      expect(outcome).toMatchObject({ kind: 'busy', afterMs: modelRetryMs });
      expect(await model.generate(request([user('Hi')]))).toMatchObject({ kind: 'reply' });
    },
  );

  it('is busy when nobody answers at the address', async () => {
    await fake.close();
    expect(await model.generate(request([user('Hi')]))).toMatchObject({ kind: 'busy' });
  });

  it('says that it was aborted, before and while it speaks', async () => {
    const cutting = new AbortController();
    fake.plan({ kind: 'hang' });
    const asked = model.generate(request([user('Hi')], { signal: cutting.signal }));
    setTimeout(() => cutting.abort(), 50);
    const aborted = { kind: 'busy', afterMs: 0, detail: 'aborted' };
    expect(await asked).toEqual(aborted);
    const count = fake.requests.length;
    expect(await model.generate(request([user('Hi')], { signal: cutting.signal }))).toEqual(
      aborted,
    );
    expect(fake.requests).toHaveLength(count);
  });

  it('is refused a wrong model and a filtered reply', async () => {
    fake.plan(
      { kind: 'fail', status: 404, message: 'The model does not exist.' },
      { kind: 'say', words: { stop: 'filter' } },
    );
    const unknown = await model.generate(request([user('Hi')]));
    expect(unknown).toEqual({ kind: 'refused', detail: '404: The model does not exist.' });
    const filtered = await model.generate(request([user('Hi')]));
    expect(filtered).toMatchObject({ kind: 'refused', detail: expect.stringContaining('filter') });
  });

  it('never repeats a key or a text of the request', async () => {
    const secret = 'the user said something very private here, and at some length, too';
    fake.plan({
      kind: 'fail',
      status: 400,
      message: `Invalid value '${secret}' with key ${testKey} and Bearer ${testKey}`,
    });
    const outcomes = [await model.generate(request([user(secret)]))];
    await fake.close();
    const wrong = await meet(name, wire, 'sk-wrong-0123456789');
    outcomes.push(await wrong.model.generate(request([user(secret)])));
    await wrong.fake.close();
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
    const told = JSON.stringify(outcomes);
    for (const word of ['private', testKey, 'sk-wrong', '0123456789', 'AKIA']) {
      expect(told).not.toContain(word);
    }
  });
});
