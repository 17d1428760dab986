import type { LanguageModelV3 } from '@ai-sdk/provider';
import { modelTimeoutMs } from '../core/limits.ts';
import type {
  Model,
  ModelCall,
  ModelOutcome,
  ModelProfile,
  ModelReply,
  ModelRequest,
} from '../core/model.ts';
import type { Usage } from '../core/turn.ts';
import { aborted, busy, failureOf, type ModelFailure } from './model-failure.ts';
import { keptParts } from './model-parts.ts';
import { callOptions } from './model-prompt.ts';
import { hear, type Heard, type SpokenPart } from './model-stream.ts';

/** Any model of the AI SDK at provider level. The newer spec differs in nothing that is used here. */
export type LanguageModel =
  | LanguageModelV3
  | (Omit<LanguageModelV3, 'specificationVersion'> & { readonly specificationVersion: 'v4' });

interface LanguageModelSettings {
  /** As the deployment names it. */
  readonly name: string;
  readonly profile: ModelProfile;
  readonly timeoutMs?: number;
}

/** A vendor's model as the house asks it: one request, its words as they come, one outcome. */
export function fromLanguageModel(model: LanguageModel, settings: LanguageModelSettings): Model {
  const { name, profile, timeoutMs = modelTimeoutMs } = settings;
  return {
    name,
    profile,
    async generate(request) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([request.signal, timeout]);
      const options = callOptions(request, { profile, modelId: model.modelId, signal });
      const heard = await ask(model, options, request);
      if (heard.kind === 'heard') return outcomeOf(heard, profile);
      if (request.signal.aborted) return aborted;
      return timeout.aborted ? busy('The model did not answer in time.') : heard;
    },
  };
}

async function ask(
  model: LanguageModel,
  options: Parameters<LanguageModel['doStream']>[0],
  request: ModelRequest,
): Promise<Heard | ModelFailure> {
  if (request.signal.aborted) return aborted;
  try {
    const { stream } = await model.doStream(options);
    return await hear(stream, (piece) => request.onText(piece));
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (!failure) throw thrown;
    return failure;
  }
}

function outcomeOf(heard: Heard, profile: ModelProfile): ModelOutcome {
  const { parts, finish } = heard;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [callOf(part)] : []));
  if (finish.unified === 'content-filter' && text === '' && calls.length === 0) {
    return { kind: 'refused', detail: "The provider's content filter stopped the reply." };
  }
  const kept = keptParts(profile.provider, parts);
  const reply: ModelReply = { text, calls, usage: usageOf(heard) };
  return { kind: 'reply', reply: kept ? { ...reply, parts: kept } : reply };
}

/** Arguments that are not JSON stay as they came: the loop refuses them, and the model reads why. */
function callOf(part: Extract<SpokenPart, { type: 'tool-call' }>): ModelCall {
  return { id: part.toolCallId, name: part.toolName, arguments: argumentsOf(part.input) };
}

function argumentsOf(input: string): unknown {
  // A call without arguments is written as nothing at all by some models.
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

const usageOf = ({ usage }: Heard): Usage => ({
  inputTokens: usage.inputTokens.total ?? 0,
  outputTokens: usage.outputTokens.total ?? 0,
  cachedTokens: usage.inputTokens.cacheRead ?? 0,
});
