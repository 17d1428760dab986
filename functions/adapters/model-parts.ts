import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { Message } from '../core/legality.ts';
import type { ModelProfile, Provider } from '../core/model.ts';
import type { Call } from '../core/turn.ts';
import type { SpokenPart } from './model-stream.ts';

/** A reply's parts as they are stored. Another provider cannot read them, so they carry their own's name. */
interface KeptParts {
  readonly provider: Provider;
  readonly content: readonly SpokenPart[];
}

/** Undefined when text and calls alone say it all, as most replies do: what is not stored costs nothing. */
export function keptParts(
  provider: Provider,
  content: readonly SpokenPart[],
): KeptParts | undefined {
  const hasMarks = content.some((part) => part.type === 'reasoning' || part.providerMetadata);
  return hasMarks ? { provider, content: content.map(withoutInput) } : undefined;
}

/** The arguments of a call are stored with the call. */
const withoutInput = (part: SpokenPart): SpokenPart =>
  part.type === 'tool-call' ? { ...part, input: '' } : part;

/** The parts of a stored reply, if they are this provider's. They were written by this house. */
function partsFor(provider: Provider, parts: unknown): readonly SpokenPart[] | undefined {
  if (typeof parts !== 'object' || parts === null || !('content' in parts)) return undefined;
  const kept = parts as KeptParts;
  return kept.provider === provider ? kept.content : undefined;
}

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** The provider's own parts as they came, or the same said plainly where there are none that fit. */
export function assistantContent(
  { text, calls, parts }: Extract<Message, { role: 'assistant' }>,
  profile: ModelProfile,
): AssistantContent {
  const kept = partsFor(profile.provider, parts);
  const keptCalls = kept?.filter(({ type }) => type === 'tool-call').length;
  if (kept && keptCalls === calls.length) return ownContent(kept, calls);
  const said = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
  return [...said, ...calls.map((call) => callPart(call))];
}

/** Calls stand in the order in which they were made; their ids may have been changed to be unique. */
function ownContent(kept: readonly SpokenPart[], calls: readonly Call[]): AssistantContent {
  const inOrder = calls.values();
  return kept.flatMap((part): AssistantContent => {
    const options = optionsOf(part);
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...options }];
      case 'reasoning':
        return canReturn(part) ? [{ type: 'reasoning', text: part.text, ...options }] : [];
      case 'tool-call': {
        const { value } = inOrder.next();
        return value ? [{ ...callPart(value), ...options }] : [];
      }
    }
  });
}

const optionsOf = ({ providerMetadata }: SpokenPart) =>
  providerMetadata ? { providerOptions: providerMetadata } : {};

/** OpenAI looks for reasoning that is not sealed into the part in a store where it was never put. */
const canReturn = ({ providerMetadata }: SpokenPart) =>
  !providerMetadata?.openai || Boolean(providerMetadata.openai.reasoningEncryptedContent);

/** Arguments are an object on every wire; those that were not JSON are shown inside one. */
function callPart({ callId, tool, arguments: args }: Call) {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  const input = isObject ? args : { invalid_arguments: args ?? null };
  return { type: 'tool-call' as const, toolCallId: callId, toolName: tool, input };
}
