import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { ResponseEntry } from '../core/entry.ts';
import { groupMessages, type Message } from '../core/legality.ts';
import type { ModelProfile, ModelRequest, ModelTool } from '../core/model.ts';
import { responseText } from '../core/response-text.ts';
import { cacheHint } from './model-cache.ts';
import { assistantContent } from './model-parts.ts';

export interface Asked {
  readonly profile: ModelProfile;
  readonly modelId: string;
  readonly signal: AbortSignal;
}

/** A request of ours as the SDK takes it. */
export function callOptions(
  { entries, tools }: Pick<ModelRequest, 'entries' | 'tools'>,
  { profile, modelId, signal }: Asked,
): LanguageModelV3CallOptions {
  const hint = cacheHint(profile, modelId);
  const messages = groupMessages(entries, profile).flatMap((message) =>
    promptMessages(message, profile),
  );
  return {
    prompt: withHints(messages, hint),
    ...(tools.length === 0 ? {} : { tools: promptTools(tools, hint) }),
    abortSignal: signal,
    providerOptions,
  };
}

const providerOptions: SharedV3ProviderOptions = {
  // The history is ours; a provider that kept one of its own would refer to items it may have lost.
  openai: { store: false },
  // Arguments are used whole; sent as they are made they may end in the middle.
  anthropic: { toolStreaming: false },
};

function promptMessages(
  message: Message,
  profile: ModelProfile,
): readonly LanguageModelV3Message[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'assistant':
      return [{ role: 'assistant', content: assistantContent(message, profile) }];
    case 'user': {
      const { responses, texts } = message;
      return [
        ...(responses.length === 0
          ? []
          : [{ role: 'tool' as const, content: responses.map(resultPart) }]),
        ...(texts.length === 0 ? [] : [userMessage(texts, profile)]),
      ];
    }
  }
}

/** Servers behind the chat wire often take a plain text only. */
function userMessage(texts: readonly string[], { provider }: ModelProfile): LanguageModelV3Message {
  const parts = provider === 'openai-chat' ? [texts.join('\n\n')] : texts;
  return { role: 'user', content: parts.map((text) => ({ type: 'text', text })) };
}

function resultPart(entry: ResponseEntry): LanguageModelV3ToolResultPart {
  const type = entry.status === 'failed' ? 'error-text' : 'text';
  return {
    type: 'tool-result',
    toolCallId: entry.callId,
    toolName: entry.tool,
    output: { type, value: responseText(entry) },
  };
}

const promptTools = (
  tools: readonly ModelTool[],
  hint: SharedV3ProviderOptions | undefined,
): LanguageModelV3FunctionTool[] =>
  tools.map(({ name, description, inputSchema }, index) => ({
    type: 'function',
    name,
    description,
    inputSchema: inputSchema as LanguageModelV3FunctionTool['inputSchema'],
    ...(hint && index === tools.length - 1 ? { providerOptions: hint } : {}),
  }));

/**
 * Everything up to a hint is cached: the system text with the tools before it, and all that was said. What
 * was sent once is not rewritten while the cache is warm, so the next request finds it up to here.
 */
function withHints(
  messages: readonly LanguageModelV3Message[],
  hint: SharedV3ProviderOptions | undefined,
): LanguageModelV3Message[] {
  return messages.map((message, index) =>
    hint && (message.role === 'system' || index === messages.length - 1)
      ? { ...message, providerOptions: hint }
      : message,
  );
}
