import { describe, expect, it } from 'vitest';
import type { Entry } from '../../functions/core/entry.ts';
import { asCallId } from '../../functions/core/ids.ts';
import type { ModelOutcome, ModelReply } from '../../functions/core/model.ts';
import type { FakeProvider, Json, Wire, Words } from './fake-provider.ts';
import { meet } from './providers.ts';
import {
  assistant,
  endEvent,
  placeholder,
  request,
  response,
  shown,
  system,
  tool,
  user,
} from './sample-history.ts';
import { anthropicWire } from './wires/anthropic.ts';
import { bedrockWire } from './wires/bedrock.ts';
import { openaiChatWire } from './wires/openai-chat.ts';
import { openaiResponsesWire } from './wires/openai-responses.ts';

const claudeOnBedrock = 'bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** Who thinks, and how a thought looks on the wire. */
const thinkers: readonly {
  readonly name: string;
  readonly wire: Wire;
  readonly thought: RegExp;
}[] = [
  { name: 'anthropic:claude-test-5', wire: anthropicWire, thought: /"type":"thinking"/g },
  { name: claudeOnBedrock, wire: bedrockWire, thought: /"reasoningText"/g },
  { name: 'openai:gpt-5-test', wire: openaiResponsesWire, thought: /"type":"reasoning"/g },
];

const thoughtful: Words = {
  thinking: 'The user wants a deployment.\n  I should call the tool. ',
  text: 'On it.',
  calls: [{ id: 'call_1', name: 'deploy_to_staging', input: { version: 'v2.5.0' } }],
};

function replyIn(outcome: ModelOutcome): ModelReply {
  if (outcome.kind !== 'reply') throw new Error(`no reply: ${JSON.stringify(outcome)}`);
  return outcome.reply;
}

/** The reply as the session stores it and shows it again: through JSON. */
function stored({ text, calls, parts }: ModelReply): Entry {
  const kept: unknown = parts === undefined ? undefined : JSON.parse(JSON.stringify(parts));
  const made = calls.map(({ id, name, arguments: args }) => ({ id, tool: name, arguments: args }));
  return assistant(text, made, kept);
}

const bodyOf = ({ requests: [first] }: FakeProvider): Json => first?.body ?? {};

describe.each(thinkers)('the thinking of $name', ({ name, wire, thought }) => {
  it('goes back with its signature, to the letter, through the whole life of a call', async () => {
    const { fake, model } = await meet(name, wire);
    fake.plan({ kind: 'say', words: thoughtful }, { kind: 'say', words: { text: 'Hello!' } });
    const opening = [system('Be brief.'), user('Deploy v2.5.0')];
    const first = replyIn(await model.generate(request(opening)));
    expect(first).toMatchObject({ text: 'On it.', calls: [{ id: 'call_1' }] });

    const waiting = [
      ...opening,
      stored(first),
      placeholder('call_1', 'deploy_to_staging'),
      user('Hi'),
    ];
    const second = replyIn(await model.generate(request(waiting)));
    expect(second.text).toBe('Hello!');

    const done = [...waiting, stored(second), endEvent('call_1', { status: 'completed' })];
    expect(replyIn(await model.generate(request(done))).text).toBe('Hello.');
    const sent = fake.requests.map(({ body }) => JSON.stringify(body).match(thought)?.length ?? 0);
    expect(sent).toEqual([0, 1, 1]);
    await fake.close();
  });

  it('is left out when the reply came from another provider', async () => {
    const other = thinkers.find((thinker) => thinker.name !== name) ?? thinkers[0];
    if (!other) throw new Error('no other provider');
    const elsewhere = await meet(other.name, other.wire);
    elsewhere.fake.plan({ kind: 'say', words: thoughtful });
    const reply = replyIn(await elsewhere.model.generate(request([user('Deploy v2.5.0')])));
    await elsewhere.fake.close();

    const { fake, model } = await meet(name, wire);
    const history = [
      user('Deploy v2.5.0'),
      stored(reply),
      placeholder('call_1', 'deploy_to_staging'),
    ];
    expect(replyIn(await model.generate(request(history))).text).toBe('Hello.');
    expect(JSON.stringify(fake.requests[0]?.body)).not.toMatch(thought);
    await fake.close();
  });
});

describe('parts of a reply', () => {
  it('of Claude are not told to a server that would read them as its own', async () => {
    const claude = await meet('anthropic:claude-test-5', anthropicWire);
    claude.fake.plan({ kind: 'say', words: thoughtful });
    const reply = replyIn(await claude.model.generate(request([user('Deploy v2.5.0')])));
    await claude.fake.close();
    const { fake, model } = await meet('openai-compatible:llama3', openaiChatWire);
    const history = [user('Deploy'), stored(reply), placeholder('call_1', 'deploy_to_staging')];
    expect(replyIn(await model.generate(request(history))).text).toBe('Hello.');
    expect(JSON.stringify(fake.requests[0]?.body)).not.toContain('I should call');
    await fake.close();
  });

  it('mark the response of a call that failed, where the wire has a mark for it', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    const error = { code: 'tool_failed', message: 'No.' } as const;
    const calls = [
      { id: 'call_1', tool: 'list_users' },
      { id: 'call_2', tool: 'list_users' },
    ];
    const history = [
      user('List'),
      assistant('', calls),
      response('call_1', 'list_users', { status: 'failed', error }),
      response('call_2', 'list_users', { value: shown(1) }),
    ];
    await model.generate(request(history));
    const results: Json = bodyOf(fake).messages.at(-1).content;
    expect(results.map((block: Json) => block.is_error)).toEqual([true, undefined]);
    await fake.close();
  });

  it('are not stored when text and calls say it all', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    expect(replyIn(await model.generate(request([user('Hi')])))).not.toHaveProperty('parts');
    await fake.close();
  });

  it('carry the ids the session gave to its calls', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    const words = {
      ...thoughtful,
      calls: [...(thoughtful.calls ?? []), ...(thoughtful.calls ?? [])],
    };
    fake.plan({ kind: 'say', words });
    const said = stored(replyIn(await model.generate(request([user('Deploy v2.5.0')]))));
    if (said.role !== 'assistant') throw new Error('not a reply');
    const calls = said.calls.map((call, index) => ({
      ...call,
      callId: asCallId(`unique_${index}`),
    }));
    const history = [
      user('Deploy v2.5.0'),
      { ...said, calls },
      placeholder('unique_0', 'deploy_to_staging'),
      placeholder('unique_1', 'deploy_to_staging'),
    ];
    expect(replyIn(await model.generate(request(history))).text).toBe('Hello.');
    const sent: Json = fake.requests[1]?.body.messages[1];
    expect(sent.content.map(({ type, id }: Json) => id ?? type)).toEqual([
      'thinking',
      'text',
      'unique_0',
      'unique_1',
    ]);
    await fake.close();
  });

  it('are refused by the fake once the history before them has changed', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    fake.plan({ kind: 'say', words: thoughtful });
    const said = stored(replyIn(await model.generate(request([user('Deploy v2.5.0')]))));
    const history = [user('Deploy v9'), said, placeholder('call_1', 'deploy_to_staging')];
    expect(await model.generate(request(history))).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('bound to a different conversation'),
    });
    await fake.close();
  });
});

describe('the cache', () => {
  const history = [
    system('Be brief.'),
    user('Deploy'),
    assistant('', [{ id: 'call_1', tool: 'deploy_to_staging' }]),
    placeholder('call_1', 'deploy_to_staging'),
    user('Hi'),
  ];

  it('of Anthropic is told to keep tools, system and all that was said', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    await model.generate(request(history, { tools: [tool('a'), tool('deploy_to_staging')] }));
    const { tools, system: opening, messages }: Json = bodyOf(fake);
    const mark = { type: 'ephemeral' };
    expect(tools.map((one: Json) => one.cache_control)).toEqual([undefined, mark]);
    expect(opening).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }]);
    expect(messages.at(-1).content.map((block: Json) => block.cache_control)).toEqual([
      undefined,
      mark,
    ]);
    expect(JSON.stringify(messages.slice(0, -1))).not.toContain('cache_control');
    await fake.close();
  });

  it('of Claude on Bedrock likewise; a model without one is told nothing', async () => {
    const claude = await meet(claudeOnBedrock, bedrockWire);
    await claude.model.generate(request(history));
    const { system: opening, messages }: Json = bodyOf(claude.fake);
    const point = { cachePoint: { type: 'default' } };
    expect(opening).toEqual([{ text: 'Be brief.' }, point]);
    expect(messages.at(-1).content.at(-1)).toEqual(point);
    await claude.fake.close();

    for (const id of [
      'meta.llama3-1-70b-instruct-v1:0',
      'anthropic.claude-3-haiku-20240307-v1:0',
    ]) {
      const { fake, model } = await meet(`bedrock:${id}`, bedrockWire);
      await model.generate(request(history));
      expect(JSON.stringify(fake.requests[0]?.body)).not.toContain('cachePoint');
      await fake.close();
    }
  });

  it('finds every request again at the beginning of the next', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    await model.generate(request(history));
    await model.generate(
      request([...history, assistant('Hello.'), endEvent('call_1', { url: 'x' })]),
    );
    const [first, second] = fake.requests.map(({ body }) =>
      body.messages.map((message: Json) =>
        JSON.stringify(message, (key, value) => (key === 'cache_control' ? undefined : value)),
      ),
    );
    expect(second.slice(0, first.length)).toEqual(first);
    await fake.close();
  });
});
