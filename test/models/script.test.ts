import { describe, expect, it } from 'vitest';
import { readScript } from '../../functions/adapters/script-file.ts';
import { scriptedModel } from '../../functions/adapters/scripted-model.ts';
import { scriptSpeaker } from '../../functions/adapters/scripted-script.ts';
import { systemClock } from '../../functions/adapters/process.ts';
import type { Entry } from '../../functions/core/entry.ts';
import { illegalities } from '../../functions/core/legality.ts';
import type { Model } from '../../functions/core/model.ts';
import {
  assistant,
  endEvent,
  event,
  placeholder,
  request,
  response,
  shown,
  user,
} from './sample-history.ts';

function play(steps: unknown): Model {
  const script = readScript('test.json', () => JSON.stringify(steps));
  if (typeof script === 'string') throw new Error(script);
  return scriptedModel('scripted:test.json', scriptSpeaker(script), systemClock);
}

async function speak(model: Model, entries: readonly Entry[]) {
  expect(illegalities(entries, model.profile)).toEqual([]);
  const outcome = await model.generate(request(entries));
  if (outcome.kind !== 'reply') return { outcome, entries };
  const { text, calls, parts } = outcome.reply;
  const made = calls.map(({ id, name, arguments: args }) => ({ id, tool: name, arguments: args }));
  return { outcome, text, calls, entries: [...entries, assistant(text, made, parts)] };
}

/** Say one thing after another, and hear the answers. */
async function converse(model: Model, texts: readonly string[]): Promise<readonly unknown[]> {
  let entries: readonly Entry[] = [];
  const answers: unknown[] = [];
  for (const text of texts) {
    const spoken = await speak(model, [...entries, user(text)]);
    answers.push(spoken.text ?? spoken.outcome.kind);
    ({ entries } = spoken);
  }
  return answers;
}

describe('a script', () => {
  it('answers with its steps in order, then with ok', async () => {
    const model = play([{ text: 'one' }, { text: 'two' }]);
    expect(await converse(model, ['a', 'b', 'c', 'd'])).toEqual(['one', 'two', 'ok', 'ok']);
  });

  it('answers with the first unused step that matches', async () => {
    const model = play([
      { when: { text_includes: 'deploy' }, text: 'deploying' },
      { when: { text_includes: 'hello' }, text: 'hi' },
      { when: { text_includes: 'hello' }, text: 'hi again' },
      { text: 'anything' },
    ]);
    const said = ['hello', 'well hello', 'please deploy', 'deploy', 'hello'];
    expect(await converse(model, said)).toEqual(['hi', 'hi again', 'deploying', 'anything', 'ok']);
  });

  it('looks only at what was said since its last reply', async () => {
    const model = play([{ text: 'first' }, { when: { text_includes: 'a' }, text: 'again' }]);
    expect(await converse(model, ['a', 'b'])).toEqual(['first', 'ok']);
  });

  it('matches one of several texts', async () => {
    const model = play([{ when: { text_includes: 'two' }, text: 'both' }]);
    expect((await speak(model, [user('one'), user('two')])).text).toBe('both');
  });

  it('makes calls with the ids of the script, or ids of its own that stay the same', async () => {
    const steps = [
      {
        tool_calls: [
          { id: 'call_abc', name: 'a', arguments: { x: 1 } },
          { name: 'b' },
          { name: 'b' },
        ],
      },
    ];
    const entries = [user('go')];
    const { text, calls } = await speak(play(steps), entries);
    expect(text).toBe('');
    expect(calls?.[0]).toEqual({ id: 'call_abc', name: 'a', arguments: { x: 1 } });
    expect(calls?.[1]).toEqual({
      id: expect.stringMatching(/^call_\w{16}$/),
      name: 'b',
      arguments: {},
    });
    expect(calls?.[1]?.id).not.toBe(calls?.[2]?.id);
    expect((await speak(play(steps), entries)).calls).toEqual(calls);
    expect((await speak(play(steps), [user('go')])).calls?.[1]?.id).not.toBe(calls?.[1]?.id);
  });

  it('is played anew in every session, and goes on in another process', async () => {
    const steps = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];
    const model = play(steps);
    expect(await converse(model, ['a', 'b'])).toEqual(['one', 'two']);
    expect(await converse(model, ['a', 'b'])).toEqual(['one', 'two']);
    const { entries } = await speak(model, [user('a')]);
    const next = [...entries, user('b')];
    expect((await speak(play(steps), next)).text).toBe('two');
    expect((await speak(play(steps), next)).text).toBe('two');
    expect((await speak(model, next)).text).toBe('two');
  });

  it('knows its steps by their words when their list was compacted away', async () => {
    const steps = [{ text: 'one' }, { tool_calls: [{ name: 'a' }] }, { text: 'three' }];
    const entries = [
      user('a'),
      assistant('one'),
      user('b'),
      assistant('', [{ id: 'call_1', tool: 'a' }]),
      response('call_1', 'a', { value: shown(1) }),
    ];
    expect((await speak(play(steps), entries)).text).toBe('three');
  });

  it('says ok where a step says nothing, for a silent reply would leave no trace', async () => {
    expect(await converse(play([{ delay_ms: 1 }, { text: 'two' }]), ['a', 'b'])).toEqual([
      'ok',
      'two',
    ]);
  });
});

describe('response_for', () => {
  const steps = [
    {
      tool_calls: [
        { id: 'call_1', name: 'deploy' },
        { id: 'call_2', name: 'list' },
      ],
    },
    { when: { response_for: 'call_1' }, text: 'deployed' },
    { when: { response_for: 'list' }, text: 'listed' },
    { when: { text_includes: 'hi' }, text: 'hello' },
  ];
  const begin = async (model: Model) => (await speak(model, [user('go')])).entries;

  it('matches a result that took the place of its placeholder, by call id or tool', async () => {
    const model = play(steps);
    const done = [
      ...(await begin(model)),
      response('call_1', 'deploy', { value: shown(1) }),
      response('call_2', 'list', { value: shown(2) }),
    ];
    expect((await speak(model, done)).text).toBe('deployed');
    const other = play([steps[0], ...steps.slice(2)]);
    expect((await speak(other, done)).text).toBe('listed');
  });

  it('matches each of several results', async () => {
    const model = play([
      { tool_calls: [{ id: 'call_1', name: 'deploy' }] },
      { when: { response_for: 'call_1' }, text: 'one' },
      { when: { response_for: 'deploy' }, text: 'two' },
    ]);
    const waiting = [...(await begin(model)), placeholder('call_1', 'deploy')];
    const part = event('call_1', 'working 1 of 2', '"a"', { kind: 'partial' });
    const first = await speak(model, [...waiting, part]);
    expect(first.text).toBe('one');
    const end = event('call_1', 'completed', '"b"', { kind: 'end' });
    expect((await speak(model, [...first.entries, end])).text).toBe('two');
  });

  it('does not match a placeholder or progress, and then matches the closing event', async () => {
    const model = play(steps);
    const waiting = [
      ...(await begin(model)),
      placeholder('call_1', 'deploy'),
      response('call_2', 'list', {
        status: 'failed',
        error: { code: 'tool_failed', message: 'no' },
      }),
    ];
    const first = await speak(model, waiting);
    expect(first.text).toBe('listed');
    const progress = event('call_1', 'working 50%', 'half', { kind: 'progress' });
    const second = await speak(model, [...first.entries, progress, user('hi')]);
    expect(second.text).toBe('hello');
    const third = await speak(model, [...second.entries, endEvent('call_1', { done: true })]);
    expect(third.text).toBe('deployed');
  });

  it('matches the notice of a result that went back to its place', async () => {
    const model = play(steps);
    const entries = [
      ...(await begin(model)),
      response('call_1', 'deploy', { value: shown(1) }),
      response('call_2', 'list', { value: shown(2) }),
      assistant('Later.'),
      event('call_1', 'completed', 'The outcome now stands in the response to this call.'),
    ];
    expect((await speak(model, entries)).text).toBe('deployed');
  });
});

describe('status and delay', () => {
  it('play an error once, and the next step answers the same request', async () => {
    const model = play([{ status: 429 }, { status: 500 }, { text: 'at last' }, { text: 'then' }]);
    const entries = [user('a')];
    expect((await speak(model, entries)).outcome).toMatchObject({ kind: 'busy', afterMs: 1000 });
    expect((await speak(model, entries)).outcome).toMatchObject({ kind: 'busy' });
    const spoken = await speak(model, entries);
    expect(spoken.text).toBe('at last');
    const next = [...spoken.entries, user('b')];
    expect((await speak(model, next)).text).toBe('then');
    const afterRestart = play([
      { status: 429 },
      { status: 500 },
      { text: 'at last' },
      { text: 'then' },
    ]);
    expect((await speak(afterRestart, next)).text).toBe('then');
  });

  it('play a refusal that leaves nothing in the history', async () => {
    const model = play([{ status: 400 }, { text: 'fine' }]);
    const first = user('a');
    expect((await speak(model, [first])).outcome).toMatchObject({ kind: 'refused' });
    expect((await speak(model, [first, user('b')])).text).toBe('fine');
  });

  it('make the answer late, unless it is cut off', async () => {
    const model = play([
      { text: 'slow', delay_ms: 80 },
      { text: 'next', delay_ms: 60_000 },
    ]);
    const startedAtMs = Date.now();
    const { entries } = await speak(model, [user('a')]);
    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(75);
    const cutting = new AbortController();
    setTimeout(() => cutting.abort(), 20);
    const asked = request([...entries, user('b')], { signal: cutting.signal });
    expect(await model.generate(asked)).toEqual({ kind: 'busy', afterMs: 0, detail: 'aborted' });
    expect(asked.pieces).toEqual([]);
  });

  it('use up a step that was cut off, except for the very request it was cut off from', async () => {
    const model = play([{ text: 'long', delay_ms: 30 }, { text: 'short' }]);
    const first = user('a');
    const cutting = AbortSignal.timeout(5);
    await model.generate(request([first], { signal: cutting }));
    expect((await speak(model, [first])).text).toBe('long');
    expect((await speak(model, [first, user('b')])).text).toBe('short');
  });
});

describe('a scripted reply', () => {
  it('is spoken in pieces that make up its text, and counted', async () => {
    const text =
      'A rather long sentence, spoken in several pieces,\nso that streaming can be seen.';
    const asked = request([user('Hi')]);
    const outcome = await play([{ text }]).generate(asked);
    expect(asked.pieces.length).toBeGreaterThan(2);
    expect(asked.pieces.join('')).toBe(text);
    expect(outcome).toMatchObject({
      reply: {
        usage: { inputTokens: 1, outputTokens: Math.ceil(text.length / 4), cachedTokens: 0 },
      },
    });
  });
});
