import type { Provider } from './model.ts';

/** What a provider says to an illegal history, each in its own words. Places count messages from zero. */
export interface ProviderErrors {
  unanswered(at: number, ids: string): string;
  orphan(at: number, id: string): string;
  answeredTwice(at: number, id: string): string;
  repeatedCall(at: number, id: string): string;
  notAlternating(at: number): string;
  readonly endsOnAssistant: string;
  readonly beginsOnAssistant: string;
  empty(at: number): string;
  emptyError(at: number): string;
}

const anthropic: ProviderErrors = {
  unanswered: (at, ids) =>
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}`,
  orphan: (at, id) =>
    `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` ` +
    'block must have a corresponding `tool_use` block in the previous message.',
  answeredTwice: (at, id) =>
    `messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
  repeatedCall: (at, id) => `messages.${at}: \`tool_use\` ids must be unique: ${id}`,
  notAlternating: (at) => `messages.${at}: roles must alternate between "user" and "assistant"`,
  endsOnAssistant:
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  beginsOnAssistant: 'messages: first message must use the "user" role',
  empty: (at) => `messages.${at}: text content blocks must contain non-whitespace text`,
  emptyError: (at) =>
    `messages.${at}: tool_result: content cannot be empty if \`is_error\` is true`,
};

const openaiChat: ProviderErrors = {
  ...anthropic,
  unanswered: (_at, ids) =>
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
    `'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
  orphan: (_at, id) =>
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with " +
    `'tool_calls': ${id}`,
  answeredTwice: (at, id) => `Duplicate value for 'tool_call_id' of '${id}' in message[${at}]`,
  repeatedCall: (at, id) => `Duplicate value for 'tool_calls.id' of '${id}' in message[${at}]`,
};

const openaiResponses: ProviderErrors = {
  ...anthropic,
  unanswered: (_at, ids) => `No tool output found for function call ${ids}.`,
  orphan: (_at, id) => `No tool call found for function call output with call_id ${id}.`,
  answeredTwice: (_at, id) =>
    `Duplicate function_call_output for call_id ${id}: there must be exactly one.`,
  repeatedCall: (_at, id) => `Duplicate item found with call_id ${id}.`,
};

const bedrock: ProviderErrors = {
  ...anthropic,
  unanswered: (at, ids) =>
    `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${ids}`,
  orphan: (at) =>
    `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of ` +
    'previous turn.',
  answeredTwice: (at, id) =>
    `The toolResult blocks at messages.${at}.content contain duplicate Ids: ${id}`,
  repeatedCall: (at, id) =>
    `The toolUse blocks at messages.${at}.content contain duplicate Ids: ${id}`,
  notAlternating: () =>
    'A conversation must alternate between user and assistant roles. Make sure the conversation ' +
    'alternates between user and assistant roles and try again.',
  beginsOnAssistant: 'A conversation must start with a user message.',
  empty: (at) => `The content field in the Message object at messages.${at} is empty.`,
  emptyError: (at) =>
    `The content field at messages.${at}.content cannot be empty when status value is error.`,
};

const geminiCount =
  'Please ensure that the number of function response parts is equal to the number of function call ' +
  'parts of the function call turn.';

const gemini: ProviderErrors = {
  ...anthropic,
  unanswered: () => geminiCount,
  orphan: () => geminiCount,
  answeredTwice: () => geminiCount,
  notAlternating: () =>
    'Please ensure that function call turn comes immediately after a user turn or after a function ' +
    'response turn.',
};

/** The scripted model is as strict as the strictest. */
export const errorsOf: Readonly<Record<Provider, ProviderErrors>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  bedrock,
  gemini,
  scripted: anthropic,
};

export const textBesideResponses =
  'Conversation blocks and tool result blocks cannot be provided in the same turn.';

export const illFormedId = (at: number, id: string) =>
  `Value '${id}' at 'messages.${at}.content.toolUseId' failed to satisfy constraint: Member must satisfy ` +
  'regular expression pattern: [a-zA-Z0-9_.:-]+ and have length less than or equal to 64';
