import { describe, expect, it } from 'vitest';
import { fromLanguageModel } from '../../functions/adapters/language-model.ts';
import { failureOf } from '../../functions/adapters/model-failure.ts';
import { accessTo } from '../../functions/adapters/model-access.ts';
import { loadVendor, vendorProfile } from '../../functions/adapters/model-vendors.ts';
import { delayMsMax, modelRetryMs } from '../../functions/core/limits.ts';
import { startFake, testKey } from './fake-provider.ts';
import { meet } from './providers.ts';
import { request, user } from './sample-history.ts';
import { anthropicWire } from './wires/anthropic.ts';
import { openaiChatWire } from './wires/openai-chat.ts';

const apiError = (statusCode: number, message: string, headers = {}) => ({
  name: 'AI_APICallError',
  message,
  statusCode,
  responseHeaders: headers,
});

const detailOf = (message: string) => failureOf(apiError(400, message))?.detail;

describe('a failure of a provider', () => {
  it('keeps the words that name a flaw', () => {
    const flaw =
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    expect(detailOf(flaw)).toBe(`400: ${flaw}`);
    expect(detailOf("It doesn't say `why`, and isn't sure.")).toBe(
      "400: It doesn't say `why`, and isn't sure.",
    );
  });

  it.each([
    ["Invalid content: 'my secret plan'", 'secret'],
    [
      'Invalid content: "my secret plan is so long that the provider did not even close its quotes',
      'secret',
    ],
    ["1 validation error: input_value={'content': 'secret'}, input_type=dict", 'secret'],
    ['Type validation failed: Value: {"text":"secret"}.', 'secret'],
    ['JSON parsing failed: Text: secret', 'secret'],
    ['Wrong.\nThe request was: secret', 'secret'],
    [`Incorrect API key provided: ${testKey}`, testKey],
    ['The key AKIAIOSFODNN7EXAMPLE is unknown', 'IOSFODNN'],
  ])('does not pass on what %j repeats', (message, secret) => {
    expect(detailOf(message)).toMatch(/^400: /);
    expect(detailOf(message)).not.toContain(secret);
  });

  it('waits until the date of a header, but never longer than a message can be delayed', () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const byDate = failureOf(apiError(503, 'Later.', { 'retry-after': at }));
    expect(byDate).toMatchObject({ kind: 'busy' });
    expect(byDate?.kind === 'busy' && byDate.afterMs).toBeGreaterThan(50_000);
    const afterDays = failureOf(apiError(429, 'Later.', { 'retry-after': '999999' }));
    expect(afterDays).toMatchObject({ kind: 'busy', afterMs: delayMsMax });
    const nonsense = failureOf(apiError(429, 'Later.', { 'retry-after': 'soon' }));
    expect(nonsense).toMatchObject({ kind: 'busy', afterMs: modelRetryMs });
  });

  it('is none when a bug of ours is thrown', () => {
    expect(failureOf(new RangeError('a bug'))).toBeUndefined();
    expect(failureOf('a text')).toBeUndefined();
  });
});

describe('a model of the SDK', () => {
  it('is busy when it has not answered in time', async () => {
    const fake = await startFake(anthropicWire);
    fake.plan({ kind: 'hang' });
    const access = accessTo('anthropic', { MODEL_BASE_URL: fake.url, MODEL_API_KEY: testKey });
    if (typeof access === 'string') throw new Error(access);
    const id = 'claude-test-5';
    const model = fromLanguageModel(await loadVendor('anthropic', id, access), {
      name: 'anthropic:test',
      profile: vendorProfile('anthropic', id),
      timeoutMs: 60,
    });
    expect(await model.generate(request([user('Hi')]))).toEqual({
      kind: 'busy',
      afterMs: modelRetryMs,
      detail: 'The model did not answer in time.',
    });
    await fake.close();
  });

  it('is refused for good when its quota is used up', async () => {
    const { fake, model } = await meet('openai-chat:gpt-4o-test', openaiChatWire);
    fake.plan({ kind: 'fail', status: 429, message: 'You exceeded your current quota.' });
    expect(await model.generate(request([user('Hi')]))).toMatchObject({ kind: 'refused' });
    await fake.close();
  });

  it('lets an error of the listener through', async () => {
    const { fake, model } = await meet('anthropic:claude-test-5', anthropicWire);
    const onText = () => {
      throw new RangeError('a bug of the listener');
    };
    await expect(model.generate(request([user('Hi')], { onText }))).rejects.toThrow('a bug');
    await fake.close();
  });
});
