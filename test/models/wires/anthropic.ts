import { createHash } from 'node:crypto';
import {
  firstFlaw,
  halves,
  inputText,
  repeated,
  sse,
  testKey,
  type FakeRequest,
  type Json,
  type Wire,
  type Words,
} from '../fake-provider.ts';

/** Anthropic Messages. Thinking is signed over everything before it, as the newest models do. */
export const anthropicWire: Wire = {
  contentType: 'text/event-stream',
  accepts: ({ headers }) => headers['x-api-key'] === testKey,
  errorBody: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
  overloadFrame: () =>
    sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  illegality({ path, body }) {
    if (!path.endsWith('/v1/messages')) return `Not found: ${path}`;
    const messages: readonly Json[] = body.messages;
    return firstFlaw(
      () => (body.max_tokens > 0 ? undefined : 'max_tokens: Field required'),
      () => sidesFlaw(messages),
      () => messages.map((message, at) => messageFlaw(message, at)).find(Boolean),
      () => messages.map((message, at) => callsFlaw(message, messages[at + 1], at)).find(Boolean),
      () => messages.map((message, at) => resultsFlaw(message, messages[at - 1], at)).find(Boolean),
      () => idsFlaw(messages),
      () => thinkingFlaw(messages),
      () => cacheFlaw(body),
    );
  },
  frames: (words, request) => [
    sse({ type: 'message_start', message: openingMessage(words) }, 'message_start'),
    ...blocksOf(words, request).flatMap((block, index) => blockFrames(block, index)),
    sse(
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(words), stop_sequence: null },
        usage: { output_tokens: words.usage?.output ?? 7 },
      },
      'message_delta',
    ),
    sse({ type: 'message_stop' }, 'message_stop'),
  ],
};

function errorType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
    500: 'api_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'invalid_request_error';
}

function sidesFlaw(messages: readonly Json[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role !== 'user') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  return undefined;
}

function messageFlaw({ content }: Json, at: number): string | undefined {
  if (content.length === 0) return `messages.${at}: all messages must have non-empty content`;
  for (const block of content) {
    if (block.type === 'text' && block.text.trim() === '') {
      return 'messages: text content blocks must contain non-whitespace text';
    }
    if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null)) {
      return `messages.${at}.content.0.tool_use.input: Input should be a valid dictionary`;
    }
    if (block.type === 'tool_result' && block.is_error && !block.content) {
      return `messages.${at}: tool_result: content cannot be empty if \`is_error\` is true`;
    }
  }
  return undefined;
}

const usesIn = (message: Json): readonly string[] =>
  message?.role === 'assistant'
    ? message.content.filter((b: Json) => b.type === 'tool_use').map((b: Json) => b.id)
    : [];

/** Results count only where nothing stands before them. */
function resultsIn(message: Json): readonly string[] {
  const blocks: readonly Json[] = message?.role === 'user' ? message.content : [];
  const other = blocks.findIndex(({ type }) => type !== 'tool_result');
  const leading = other === -1 ? blocks : blocks.slice(0, other);
  return leading.map(({ tool_use_id: id }) => id);
}

function callsFlaw(message: Json, next: Json, at: number): string | undefined {
  const answered = resultsIn(next);
  const missing = usesIn(message).filter((id) => !answered.includes(id));
  return missing.length === 0
    ? undefined
    : `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function resultsFlaw(message: Json, before: Json, at: number): string | undefined {
  if (message.role !== 'user') return undefined;
  const results: readonly string[] = message.content
    .filter((block: Json) => block.type === 'tool_result')
    .map((block: Json) => block.tool_use_id);
  const orphan = results.find((id) => !usesIn(before).includes(id));
  if (orphan !== undefined) {
    return (
      `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each ` +
      '`tool_result` block must have a corresponding `tool_use` block in the previous message.'
    );
  }
  const twice = repeated(results);
  return twice === undefined
    ? undefined
    : `messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
}

function idsFlaw(messages: readonly Json[]): string | undefined {
  return repeated(messages.flatMap(usesIn)) === undefined
    ? undefined
    : 'messages: `tool_use` ids must be unique';
}

/** The signature of a thinking block: over its text and every message before its own. */
function signatureOf(thinking: string, before: readonly Json[]): string {
  const prefix = JSON.stringify(before, (key, value) =>
    key === 'cache_control' ? undefined : value,
  );
  return createHash('sha256').update(`${thinking}\n${prefix}`).digest('base64');
}

function thinkingFlaw(messages: readonly Json[]): string | undefined {
  const isForged = messages.some(({ content }, at) =>
    content.some(
      ({ type, thinking, signature }: Json) =>
        type === 'thinking' && signature !== signatureOf(thinking, messages.slice(0, at)),
    ),
  );
  return isForged
    ? 'Invalid `signature` in `thinking` block. The block is bound to a different conversation'
    : undefined;
}

function cacheFlaw(body: Json): string | undefined {
  const found = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
  return found <= 4
    ? undefined
    : `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`;
}

const openingMessage = ({ usage }: Words): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: (usage?.input ?? 11) - (usage?.cached ?? 0),
    cache_read_input_tokens: usage?.cached ?? 0,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  },
});

function stopReason({ stop, calls }: Words): string {
  if (stop) return { length: 'max_tokens', filter: 'refusal' }[stop];
  return calls ? 'tool_use' : 'end_turn';
}

interface Block {
  readonly start: Json;
  readonly deltas: readonly Json[];
}

function blocksOf({ thinking, text, calls = [] }: Words, { body }: FakeRequest): readonly Block[] {
  const blocks: Block[] = [];
  if (thinking !== undefined) {
    const signature = signatureOf(thinking, body.messages);
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...halves(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature },
      ],
    });
  }
  if (text !== undefined) {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: halves(text).map((piece) => ({ type: 'text_delta', text: piece })),
    });
  }
  for (const { id, name, input } of calls) {
    blocks.push({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: halves(inputText(input)).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    });
  }
  return blocks;
}

const blockFrames = ({ start, deltas }: Block, index: number): readonly string[] => [
  sse({ type: 'content_block_start', index, content_block: start }, 'content_block_start'),
  ...deltas.map((delta) =>
    sse({ type: 'content_block_delta', index, delta }, 'content_block_delta'),
  ),
  sse({ type: 'content_block_stop', index }, 'content_block_stop'),
];
