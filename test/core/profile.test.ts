import { describe, expect, it } from 'vitest';
import { profileFor } from '../../functions/core/profile.ts';
import type { Provider } from '../../functions/core/model.ts';

describe('profileFor', () => {
  it.each<[Provider, string, boolean, boolean]>([
    ['anthropic', 'claude-fable-5-1', false, true],
    ['openai-chat', 'gpt-6', true, true],
    ['openai-responses', 'gpt-6-astra', true, true],
    ['gemini', 'gemini-3-pro', true, true],
    ['scripted', 'scripted', true, true],
    ['bedrock', 'eu.anthropic.claude-opus-4-8-v1:0', false, true],
    ['bedrock', 'amazon.nova-pro-v1:0', true, false],
    ['bedrock', 'us.meta.llama4-maverick-17b-instruct-v1:0', true, false],
    ['bedrock', 'arn:aws:bedrock:eu-west-1:1:application-inference-profile/a1b2', false, false],
  ])('of %s %s', (provider, modelId, rewrites, textBesideResponses) => {
    const cacheMs = 300_000;
    expect(profileFor(provider, modelId)).toEqual({
      provider,
      rewrites,
      cacheMs,
      textBesideResponses,
    });
  });
});
