import { models } from '../../functions/adapters/models.ts';
import type { Model } from '../../functions/core/model.ts';
import { startFake, testKey, type FakeProvider, type Wire } from './fake-provider.ts';
import { anthropicWire } from './wires/anthropic.ts';
import { bedrockWire } from './wires/bedrock.ts';
import { openaiChatWire } from './wires/openai-chat.ts';
import { openaiResponsesWire } from './wires/openai-responses.ts';

/** Every provider that is spoken to, by the name its model has in MODEL. */
export const providers: readonly { readonly name: string; readonly wire: Wire }[] = [
  { name: 'anthropic:claude-test-5', wire: anthropicWire },
  { name: 'openai:gpt-5-test', wire: openaiResponsesWire },
  { name: 'openai-chat:gpt-4o-test', wire: openaiChatWire },
  { name: 'openai-compatible:llama3:8b', wire: openaiChatWire },
  { name: 'bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0', wire: bedrockWire },
  { name: 'bedrock:meta.llama3-1-70b-instruct-v1:0', wire: bedrockWire },
];

export interface Meeting {
  readonly fake: FakeProvider;
  readonly model: Model;
}

/** The real adapter of a model, in front of a fake of its provider. */
export async function meet(name: string, wire: Wire, key = testKey): Promise<Meeting> {
  const fake = await startFake(wire);
  const isBedrock = name.startsWith('bedrock:');
  const env = {
    MODEL: name,
    MODEL_BASE_URL: fake.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: key === testKey ? 'AKIATEST' : 'AKIAWRONG',
    AWS_SECRET_ACCESS_KEY: 'secret-of-the-test',
    ...(isBedrock ? {} : { MODEL_API_KEY: key }),
  };
  return { fake, model: await models(env)(undefined) };
}
