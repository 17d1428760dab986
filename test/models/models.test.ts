import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { accessTo } from '../../functions/adapters/model-access.ts';
import { models } from '../../functions/adapters/models.ts';
import { startFake, testKey } from './fake-provider.ts';
import { request, user } from './sample-history.ts';
import { anthropicWire } from './wires/anthropic.ts';
import { openaiChatWire } from './wires/openai-chat.ts';

const folder = mkdtempSync(join(tmpdir(), 'models-'));
afterAll(() => rmSync(folder, { recursive: true }));

function scriptFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const ask = async (model: ReturnType<typeof models>, name?: string) =>
  (await model(name)).generate(request([user('Hi')]));

describe('a script', () => {
  it('that is not MODEL itself is read on no function', async () => {
    const file = scriptFile('own.json', '[{"text":"mine"}]');
    const env = { AWS_LAMBDA_FUNCTION_NAME: 'resume' };
    expect(await ask(models(env), `scripted:${file}`)).toMatchObject({
      kind: 'refused',
      detail: 'Only MODEL itself may name a script here.',
    });
    const own = models({ ...env, MODEL: `scripted:${file}` });
    expect(await ask(own)).toMatchObject({ reply: { text: 'mine' } });
  });

  it('is a file with an end, or it would hold up everybody', async () => {
    expect(await ask(models({}), 'scripted:/dev/zero')).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('there is no such file to read'),
    });
  });

  it('that is none says nothing about the file where others have keys', async () => {
    const model = models({ API_KEYS: 'alice:key-of-alice' });
    const known = scriptFile('known.json', '{"secret":1}');
    const details = [known, join(folder, 'unknown.json')].map(async (file) => {
      const told = await ask(model, `scripted:${file}`);
      return told.kind === 'refused' && told.detail;
    });
    const detail = 'There is no script of that name that can be played.';
    expect(await Promise.all(details)).toEqual([detail, detail]);
    const played = scriptFile('played.json', '[{"text":"mine"}]');
    expect(await ask(model, `scripted:${played}`)).toMatchObject({ reply: { text: 'mine' } });
  });
});

describe('MODEL', () => {
  it('is the scripted demo when it is not set', async () => {
    for (const env of [{}, { MODEL: '' }, { MODEL: 'scripted' }]) {
      const model = await models(env)(undefined);
      expect(model).toMatchObject({ name: 'scripted', profile: { provider: 'scripted' } });
    }
  });

  it.each(['gpt-4o', 'anthropic', 'anthropic:', ':x', 'gemini:pro', 'scripted:'])(
    'stops the start when it is %j, and says what is allowed',
    (name) => {
      expect(() => models({ MODEL: name })).toThrow(
        'A model is named scripted, scripted:<file.json>, anthropic:<id>, openai:<id>, ' +
          `openai-chat:<id>, bedrock:<id> or openai-compatible:<id>, not "${name}".`,
      );
    },
  );

  it.each([
    ['anthropic:claude', 'anthropic needs MODEL_API_KEY or ANTHROPIC_API_KEY.'],
    ['openai:gpt', 'openai needs MODEL_API_KEY or OPENAI_API_KEY.'],
    ['openai-compatible:llama', 'openai-compatible needs MODEL_BASE_URL.'],
    ['bedrock:claude', 'bedrock needs AWS_REGION'],
    ['scripted:/no/such/file.json', 'there is no such file to read'],
  ])('%s stops the start when something is missing', (name, why) => {
    expect(() => models({ MODEL: name })).toThrow(why);
  });

  it.each([
    ['{"text":', 'it is not JSON'],
    ['{"text":"hi"}', 'it is not a list of steps'],
    ['["hi"]', 'in step 1 there is no object'],
    ['[{},{"when":{"text_include":"x"}}]', 'in step 2 when is not {text_includes, response_for}'],
    ['[{"when":{"text_includes":1}}]', 'in step 1 a condition is not a text'],
    ['[{"text":1}]', 'in step 1 text is not a text'],
    ['[{"tool_calls":[{"arguments":{}}]}]', 'in step 1 tool_calls is not a list'],
    ['[{"delay_ms":"soon"}]', 'in step 1 delay_ms is not a number'],
    ['[{"status":200}]', 'in step 1 status is not an HTTP error'],
  ])('stops the start for the script %s', (text, why) => {
    const file = scriptFile('wrong.json', text);
    expect(() => models({ MODEL: `scripted:${file}` })).toThrow(why);
  });

  it('says nothing of what stands in a file that is no script', () => {
    const file = scriptFile('secret.json', 'the secret of another');
    expect(() => models({ MODEL: `scripted:${file}` })).not.toThrow('the secret');
  });
});

describe('the model a session names', () => {
  it('is made once per name, beside the one of the deployment', async () => {
    const file = scriptFile('hello.json', '[{"text":"from the file"}]');
    const model = models({});
    expect(await model(`scripted:${file}`)).toBe(await model(`scripted:${file}`));
    expect(await ask(model, `scripted:${file}`)).toMatchObject({
      reply: { text: 'from the file' },
    });
    expect(await ask(model)).toMatchObject({ kind: 'reply' });
  });

  it.each(['nonsense', 'scripted:/no/such/file.json', 'openai:gpt-4o'])(
    'is refused when it is asked and cannot be: %s',
    async (name) => {
      expect(await ask(models({}), name)).toMatchObject({ kind: 'refused' });
    },
  );

  it('does not take the key of the deployment to another vendor', () => {
    const env = { MODEL: 'anthropic:claude', MODEL_API_KEY: testKey };
    expect(accessTo('anthropic', env)).toMatchObject({ key: testKey });
    expect(accessTo('openai', env)).toBe('openai needs MODEL_API_KEY or OPENAI_API_KEY.');
    expect(accessTo('openai', { ...env, OPENAI_API_KEY: 'own' })).toMatchObject({ key: 'own' });
    const openai = { MODEL: 'openai:gpt', MODEL_API_KEY: testKey };
    expect(accessTo('openai-chat', openai)).toMatchObject({ key: testKey });
  });
});

describe('MODEL_BASE_URL', () => {
  it.each([
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/v1'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/v1'],
    ['http://127.0.0.1:1/v1/', 'http://127.0.0.1:1/v1'],
    ['https://gateway.example/openai', 'https://gateway.example/openai'],
  ])('%s leads to %s', (MODEL_BASE_URL, baseUrl) => {
    expect(accessTo('openai', { MODEL_BASE_URL })).toMatchObject({ baseUrl });
  });

  it('leads to the root for bedrock', () => {
    const access = accessTo('bedrock', { MODEL_BASE_URL: 'http://127.0.0.1:1/' });
    expect(access).toMatchObject({ baseUrl: 'http://127.0.0.1:1' });
  });

  it.each(['nowhere', 'ftp://x'])('is refused when it is %s', (MODEL_BASE_URL) => {
    expect(() => models({ MODEL: 'openai:gpt', MODEL_BASE_URL })).toThrow('must be an http');
  });

  it('serves every vendor, a server that asks for no key included', async () => {
    const chat = await startFake({ ...openaiChatWire, accepts: () => true });
    const model = models({ MODEL: 'openai-compatible:llama3', MODEL_BASE_URL: chat.url });
    expect(await ask(model)).toMatchObject({ reply: { text: 'Hello.' } });
    await chat.close();
    const messages = await startFake({ ...anthropicWire, accepts: () => true });
    const other = models({ MODEL_BASE_URL: messages.url });
    expect(await ask(other, 'anthropic:claude-test-5')).toMatchObject({
      reply: { text: 'Hello.' },
    });
    await messages.close();
  });
});

describe('the packages of vendors', () => {
  it('are loaded only when their model is asked for', () => {
    const folder = join(import.meta.dirname, '../../functions/adapters');
    const adapters = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const eager = adapters.flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const found = text.matchAll(/^import (?!type)[^;]*?from '(@ai-sdk\/[^']+)'/gm);
      return [...found].map(([, vendor]) => `${name} loads ${vendor}`);
    });
    expect(adapters.length).toBeGreaterThan(20);
    expect(eager).toEqual([]);
  });
});
