import type { ModelProfile, Provider } from './model.ts';

/** The shortest life of a prompt cache among the providers. */
const cacheMs = 5 * 60 * 1000;

/** Thinking is bound to everything before it, so Claude refuses a history that was changed. */
const claude = { rewrites: false, cacheMs, textBesideResponses: true };
const others = { rewrites: true, cacheMs, textBesideResponses: true };

/** What a provider allows, as far as the model's name tells. */
export function profileFor(provider: Provider, modelId: string): ModelProfile {
  if (provider === 'bedrock') return { provider, ...bedrock(modelId) };
  return { provider, ...(provider === 'anthropic' ? claude : others) };
}

/** Bedrock passes on the rules of the model behind it; only Claude takes text beside responses. */
function bedrock(modelId: string): Omit<ModelProfile, 'provider'> {
  if (/claude/i.test(modelId)) return claude;
  return { ...others, rewrites: !isNameless.test(modelId), textBesideResponses: false };
}

/** An address that hides its model: what any of them forbids is forbidden. */
const isNameless = /(application-inference-profile|provisioned-model|imported-model|custom-model)/;
