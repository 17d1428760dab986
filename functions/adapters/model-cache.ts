import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ModelProfile } from '../core/model.ts';

/** How a provider is told to cache up to here; undefined where it caches by itself or not at all. */
export function cacheHint(
  { provider }: ModelProfile,
  modelId: string,
): SharedV3ProviderOptions | undefined {
  if (provider === 'anthropic') return { anthropic: { cacheControl: { type: 'ephemeral' } } };
  if (provider === 'bedrock' && bedrockCaches(modelId)) {
    return { bedrock: { cachePoint: { type: 'default' } } };
  }
  return undefined;
}

/** Bedrock refuses a cache point for a model that has no cache; an address that hides its model gets none. */
const bedrockCaches = (modelId: string) => /claude/i.test(modelId) && !withoutCache.test(modelId);

const withoutCache = /claude-(?:v\d|instant|3-(?:haiku|sonnet|opus)|3-5-sonnet)/i;
