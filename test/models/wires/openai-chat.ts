import {
  firstFlaw,
  halves,
  inputText,
  repeated,
  sse,
  testKey,
  type Json,
  type Wire,
  type Words,
} from '../fake-provider.ts';

/** OpenAI Chat Completions, as OpenAI and everything compatible with it speak it. */
export const openaiChatWire: Wire = {
  contentType: 'text/event-stream',
  accepts: ({ headers }) => headers.authorization === `Bearer ${testKey}`,
  errorBody: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : 'invalid_request_error',
      param: null,
      code: message.includes('quota') ? 'insufficient_quota' : null,
    },
  }),
  overloadFrame: () =>
    sse({ error: { message: 'The server is overloaded.', type: 'server_error', code: null } }),
  illegality({ path, body }) {
    if (!path.endsWith('/v1/chat/completions')) return `Invalid URL (POST ${path})`;
    const messages: readonly Json[] = body.messages;
    return firstFlaw(
      () => messages.map((message, at) => contentFlaw(message, at)).find(Boolean),
      () => messages.map((_message, at) => callsFlaw(messages, at)).find(Boolean),
      () => messages.map((_message, at) => resultFlaw(messages, at)).find(Boolean),
    );
  },
  frames: (words) => [
    chunk({ delta: { role: 'assistant', content: '' } }),
    ...halves(words.text ?? '').map((content) => chunk({ delta: { content } })),
    ...(words.calls ?? []).flatMap(({ id, name, input }, index) =>
      callChunks(id, name, input, index),
    ),
    chunk({ delta: {}, finish_reason: finishReason(words) }),
    sse({ ...shell, choices: [], usage: usageOf(words) }),
    sse('[DONE]'),
  ],
};

const shell = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-test',
};

const chunk = (choice: Json): string =>
  sse({ ...shell, choices: [{ index: 0, finish_reason: null, ...choice }] });

function callChunks(id: string, name: string, input: unknown, index: number): readonly string[] {
  const [first = '', ...rest] = halves(inputText(input));
  const piece = (call: Json) => chunk({ delta: { tool_calls: [{ index, ...call }] } });
  return [
    piece({ id, type: 'function', function: { name, arguments: first } }),
    ...rest.map((text) => piece({ function: { arguments: text } })),
  ];
}

function finishReason({ stop, calls }: Words): string {
  if (stop) return { length: 'length', filter: 'content_filter' }[stop];
  return calls ? 'tool_calls' : 'stop';
}

const usageOf = ({ usage }: Words): Json => ({
  prompt_tokens: usage?.input ?? 11,
  completion_tokens: usage?.output ?? 7,
  total_tokens: (usage?.input ?? 11) + (usage?.output ?? 7),
  prompt_tokens_details: { cached_tokens: usage?.cached ?? 0 },
});

function contentFlaw({ role, content, tool_calls: calls }: Json, at: number): string | undefined {
  if (role === 'assistant' && !content && !calls) {
    return `Invalid value for 'content' of messages[${at}]: expected a string, got null.`;
  }
  if (role === 'user' && (typeof content === 'string' ? content : JSON.stringify(content)) === '') {
    return `Invalid 'messages[${at}].content': empty string.`;
  }
  const wrong = (calls ?? []).find((call: Json) => typeof call.function.arguments !== 'string');
  return wrong ? `Invalid type for 'messages[${at}].tool_calls[0].function.arguments'.` : undefined;
}

const idsIn = (message: Json): readonly string[] =>
  (message?.tool_calls ?? []).map((call: Json) => call.id);

/** The tool messages directly after a place. */
function toolsAfter(messages: readonly Json[], at: number): readonly string[] {
  const rest = messages.slice(at + 1);
  const end = rest.findIndex(({ role }) => role !== 'tool');
  return (end === -1 ? rest : rest.slice(0, end)).map(({ tool_call_id: id }) => id);
}

function callsFlaw(messages: readonly Json[], at: number): string | undefined {
  const answered = toolsAfter(messages, at);
  const missing = idsIn(messages[at]).filter((id) => !answered.includes(id));
  return missing.length === 0
    ? undefined
    : "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${missing.join(', ')}`;
}

function resultFlaw(messages: readonly Json[], at: number): string | undefined {
  const message = messages[at];
  if (message.role !== 'tool') return undefined;
  const caller = messages.slice(0, at).findLastIndex(({ role }) => role !== 'tool');
  if (!idsIn(messages[caller]).includes(message.tool_call_id)) {
    return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  }
  const twice = repeated(toolsAfter(messages, caller));
  return twice === undefined
    ? undefined
    : `Duplicate value for 'tool_call_id' of '${twice}' in message[${at}]`;
}
