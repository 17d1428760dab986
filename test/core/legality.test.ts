import { describe, expect, it } from 'vitest';
import type { AssistantEntry, Entry, ResponseEntry } from '../../functions/core/entry.ts';
import { asCallId } from '../../functions/core/ids.ts';
import {
  groupMessages,
  illegalities,
  illegalMessages,
  type Message,
} from '../../functions/core/legality.ts';
import type { Provider } from '../../functions/core/model.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { call, value } from '../history/sample-history.ts';

const system: Entry = { role: 'system', text: 'Be kind.', atMs: 0 };
const user = (text = 'hello'): Entry => ({ role: 'user', text, atMs: 0, trigger: 'user' });
const event = (text = '<task-event>'): Entry => ({
  role: 'event',
  text,
  atMs: 0,
  trigger: 'task',
  callId: asCallId('a'),
  sequence: 1,
});
const says = (text: string, ...ids: string[]): AssistantEntry => ({
  role: 'assistant',
  text,
  calls: ids.map((id) => call(id)),
  atMs: 0,
});
const response = (id: string, changes: Partial<ResponseEntry> = {}): ResponseEntry => ({
  role: 'tool',
  callId: asCallId(id),
  tool: 'deploy',
  status: 'completed',
  value: value(1),
  atMs: 0,
  ...changes,
});

const profiles = {
  anthropic: profileFor('anthropic', 'claude-fable-5-1'),
  'openai-chat': profileFor('openai-chat', 'gpt-6'),
  'openai-responses': profileFor('openai-responses', 'gpt-6'),
  bedrock: profileFor('bedrock', 'anthropic.claude-opus-4-8'),
  nova: profileFor('bedrock', 'amazon.nova-pro-v1:0'),
  gemini: profileFor('gemini', 'gemini-3'),
  scripted: profileFor('scripted', 'scripted'),
};

type Case = readonly [keyof typeof profiles, readonly Entry[], readonly RegExp[]];

const unanswered = [user(), says('', 'a', 'b'), response('a')];
const orphan = [user(), says('hi'), response('a')];
const twice = [user(), says('', 'a'), response('a'), response('a')];
const late = [user(), says('', 'a'), user('and?'), says('wait'), response('a')];
const repeated = [user(), says('', 'a'), response('a'), says('', 'a'), response('a')];
const onAssistant = [user(), says('hi')];
const beginsWrong = [says('hi'), user()];
const two = [user(), says('one'), says('two'), user()];
const mute = [user(), says('', 'a'), response('a', { status: 'failed' })];
const blank = [user(' ')];
const silent = [user(), says(' '), user()];

describe('illegalities', () => {
  it.each(Object.entries(profiles))('finds none in what %s takes', (_name, profile) => {
    const entries = [
      system,
      user(),
      says('', 'a', 'b'),
      response('a'),
      response('b', { status: 'working' }),
      user('meanwhile'),
      event(),
      says('still working'),
      event(),
    ];
    expect(illegalities(entries, profile)).toEqual([]);
  });

  it.each<Case>([
    ['anthropic', unanswered, [/^messages.1: `tool_use` ids were found without .* after: b$/]],
    [
      'anthropic',
      orphan,
      [/^messages.2: unexpected `tool_use_id` found in `tool_result` blocks: a/],
    ],
    ['anthropic', twice, [/each tool_use must have a single result. Found multiple .* with id: a/]],
    ['anthropic', late, [/without `tool_result` blocks immediately after: a/, /unexpected .*: a/]],
    ['anthropic', repeated, [/`tool_use` ids must be unique: a/]],
    ['anthropic', onAssistant, [/must end with a user message/]],
    ['anthropic', beginsWrong, [/first message must use the "user" role/]],
    ['anthropic', two, [/messages.2: roles must alternate/]],
    ['anthropic', mute, [/messages.2: tool_result: content cannot be empty if `is_error` is true/]],
    ['anthropic', blank, [/messages.0: text content blocks must contain non-whitespace text/]],
    ['anthropic', silent, [/messages.1: text content blocks must contain non-whitespace text/]],
    ['anthropic', [system], [/must end with a user message/]],
    ['openai-chat', unanswered, [/must be followed by tool messages .* messages: b$/]],
    [
      'openai-chat',
      orphan,
      [/messages with role 'tool' must be a response to a preceeding message/],
    ],
    ['openai-chat', twice, [/Duplicate value for 'tool_call_id' of 'a' in message\[2]/]],
    ['openai-chat', repeated, [/Duplicate value for 'tool_calls.id' of 'a' in message\[3]/]],
    ['openai-responses', unanswered, [/^No tool output found for function call b\.$/]],
    [
      'openai-responses',
      orphan,
      [/^No tool call found for function call output with call_id a\.$/],
    ],
    ['openai-responses', twice, [/^Duplicate function_call_output for call_id a/]],
    ['openai-responses', repeated, [/^Duplicate item found with call_id a/]],
    ['bedrock', unanswered, [/^Expected toolResult blocks at messages.2.content for .* Ids: b$/]],
    ['bedrock', orphan, [/toolResult blocks at messages.2.content exceeds the number of toolUse/]],
    ['bedrock', twice, [/toolResult blocks at messages.2.content contain duplicate Ids: a/]],
    ['bedrock', repeated, [/toolUse blocks at messages.3.content contain duplicate Ids: a/]],
    ['bedrock', two, [/must alternate between user and assistant roles/]],
    ['bedrock', beginsWrong, [/must start with a user message/]],
    ['bedrock', mute, [/cannot be empty when status value is error/]],
    ['bedrock', blank, [/content field in the Message object at messages.0 is empty/]],
    ['bedrock', [user(), says('', 'a b'), response('a b')], [/Value 'a b' at .*toolUseId/]],
    ['bedrock', [user(), says('', 'x'.repeat(65)), response('x'.repeat(65))], [/less than .* 64/]],
    [
      'gemini',
      unanswered,
      [/number of function response parts is equal to the number of function/],
    ],
    ['gemini', orphan, [/number of function response parts is equal/]],
    ['gemini', twice, [/number of function response parts is equal/]],
    ['gemini', two, [/function call turn comes immediately after a user turn or/]],
    ['scripted', unanswered, [/`tool_use` ids were found without `tool_result`/]],
  ])('says what %s says to %j', (name, entries, errors) => {
    const found = illegalities(entries, profiles[name]);
    expect(found).toHaveLength(errors.length);
    for (const [n, error] of errors.entries()) expect(found[n]).toMatch(error);
  });

  it('minds ids only where the provider does', () => {
    const odd = [user(), says('', 'a b'), response('a b')];
    expect(illegalities(odd, profiles.anthropic)).toEqual([]);
  });

  it('finds text beside responses where they may only stand apart', () => {
    const messages: readonly Message[] = [
      { role: 'user', responses: [], texts: ['hello'] },
      { role: 'assistant', text: '', calls: [call('a')] },
      { role: 'user', responses: [response('a')], texts: ['and?'] },
    ];
    expect(illegalMessages(messages, profiles.bedrock)).toEqual([]);
    expect(illegalMessages(messages, profiles.nova)).toEqual([
      'Conversation blocks and tool result blocks cannot be provided in the same turn.',
    ]);
  });
});

describe('groupMessages', () => {
  const answered = [system, user(), says('', 'a'), response('a'), user('and?'), event('news')];

  it('makes one message of responses and the words after them', () => {
    expect(groupMessages(answered, profiles.anthropic)).toEqual([
      { role: 'system', text: 'Be kind.' },
      { role: 'user', responses: [], texts: ['hello'] },
      { role: 'assistant', text: '', calls: [call('a')] },
      { role: 'user', responses: [response('a')], texts: ['and?', 'news'] },
    ]);
  });

  it('parts them by a word of the model where the provider wants them apart', () => {
    expect(groupMessages(answered, profiles.nova).slice(3)).toEqual([
      { role: 'user', responses: [response('a')], texts: [] },
      { role: 'assistant', text: 'Noted.', calls: [] },
      { role: 'user', responses: [], texts: ['and?', 'news'] },
    ]);
    const bare = answered.slice(0, 4);
    expect(groupMessages(bare, profiles.nova)).toEqual(groupMessages(bare, profiles.anthropic));
  });

  it("keeps the provider's own parts", () => {
    const entries: Entry[] = [user(), { ...says('hi'), parts: { signature: 's' } }, user()];
    const [, reply] = groupMessages(entries, profiles.anthropic);
    expect(reply).toEqual({ role: 'assistant', text: 'hi', calls: [], parts: { signature: 's' } });
  });

  it.each<Provider>(['anthropic', 'openai-chat'])(
    'gives %s no empty system message',
    (provider) => {
      const messages = groupMessages([{ ...system, text: ' ' }, user()], profileFor(provider, 'm'));
      expect(messages.map(({ role }) => role)).toEqual(['user']);
    },
  );

  it('joins what the system says', () => {
    const leftOut: Entry = { role: 'system', text: 'Two were left out.', atMs: 0, leftOut: 2 };
    const [first] = groupMessages([system, leftOut, user()], profiles.anthropic);
    expect(first).toEqual({ role: 'system', text: 'Be kind.\n\nTwo were left out.' });
  });
});
