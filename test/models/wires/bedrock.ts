import { crc32 } from 'node:zlib';
import {
  firstFlaw,
  halves,
  inputText,
  repeated,
  type FakeRequest,
  type Json,
  type Wire,
  type Words,
} from '../fake-provider.ts';

/** Bedrock Converse, streamed in AWS event-stream frames. */
export const bedrockWire: Wire = {
  contentType: 'application/vnd.amazon.eventstream',
  accepts: ({ headers }) =>
    /^AWS4-HMAC-SHA256 Credential=AKIATEST\/.*\/bedrock\/aws4_request/.test(
      headers.authorization ?? '',
    ),
  errorBody: (_status, message) => ({ message }),
  overloadFrame: () =>
    frame(
      { message: 'Too many requests, please wait before trying again.' },
      'throttlingException',
      'exception',
    ),
  illegality(request) {
    const { path, body } = request;
    if (!/^\/model\/[^/]+\/converse-stream$/.test(path)) return `UnknownOperationException ${path}`;
    const messages: readonly Json[] = body.messages;
    return firstFlaw(
      () => sidesFlaw(messages),
      () => messages.map((message, at) => contentFlaw(message, at, request)).find(Boolean),
      () => messages.map((message, at) => callsFlaw(message, messages[at + 1], at)).find(Boolean),
      () => messages.map((message, at) => resultsFlaw(message, messages[at - 1], at)).find(Boolean),
      () => cacheFlaw(request),
    );
  },
  frames: (words) => [
    frame({ role: 'assistant' }, 'messageStart'),
    ...blocksOf(words).flatMap(({ start, deltas }, contentBlockIndex) => [
      ...(start ? [frame({ contentBlockIndex, start }, 'contentBlockStart')] : []),
      ...deltas.map((delta) => frame({ contentBlockIndex, delta }, 'contentBlockDelta')),
      frame({ contentBlockIndex }, 'contentBlockStop'),
    ]),
    frame({ stopReason: stopReason(words) }, 'messageStop'),
    frame({ usage: usageOf(words), metrics: { latencyMs: 5 } }, 'metadata'),
  ],
};

interface Block {
  readonly start?: Json;
  readonly deltas: readonly Json[];
}

function blocksOf({ thinking, text, calls = [] }: Words): readonly Block[] {
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            deltas: [
              ...halves(thinking).map((piece) => ({ reasoningContent: { text: piece } })),
              { reasoningContent: { signature: signatureOf(thinking) } },
            ],
          },
        ]),
    ...(text === undefined ? [] : [{ deltas: halves(text).map((piece) => ({ text: piece })) }]),
    ...calls.map(({ id, name, input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      deltas: halves(inputText(input)).map((piece) => ({ toolUse: { input: piece } })),
    })),
  ];
}

const signatureOf = (thinking: string) => `signed:${thinking.length}:${crc32(thinking)}`;

function stopReason({ stop, calls }: Words): string {
  if (stop) return { length: 'max_tokens', filter: 'content_filtered' }[stop];
  return calls ? 'tool_use' : 'end_turn';
}

const usageOf = ({ usage }: Words): Json => ({
  inputTokens: (usage?.input ?? 11) - (usage?.cached ?? 0),
  outputTokens: usage?.output ?? 7,
  totalTokens: (usage?.input ?? 11) + (usage?.output ?? 7),
  cacheReadInputTokens: usage?.cached ?? 0,
});

const isClaude = ({ path }: FakeRequest) => /claude/.test(path);

function sidesFlaw(messages: readonly Json[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'A conversation must start with a user message.';
  const stuck = messages.some(({ role }, at) => role === messages[at - 1]?.role);
  return stuck
    ? 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
    : undefined;
}

const blocksIn = (message: Json): readonly Json[] =>
  (message?.content ?? []).filter((block: Json) => !block.cachePoint);

function contentFlaw(message: Json, at: number, request: FakeRequest): string | undefined {
  const blocks = blocksIn(message);
  if (blocks.length === 0) {
    return `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`;
  }
  if (blocks.some(({ text }) => text?.trim() === '')) {
    return `The text field in the ContentBlock object at messages.${at}.content.0 is blank. Add text to the text field, and try again.`;
  }
  const isMixed = blocks.some((b) => b.toolResult) && blocks.some((b) => b.text !== undefined);
  if (isMixed && !isClaude(request)) {
    return 'Conversation blocks and tool result blocks cannot be provided in the same turn.';
  }
  const forged = blocks.find(({ reasoningContent: said }) => {
    const { text = '', signature } = said?.reasoningText ?? {};
    return said && signature !== signatureOf(text);
  });
  return forged ? 'Invalid `signature` in `thinking` block' : idFlaw(blocks, at);
}

function idFlaw(blocks: readonly Json[], at: number): string | undefined {
  const ids: readonly string[] = blocks.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
  const wrong = ids.find((id) => !/^[a-zA-Z0-9_.:-]{1,64}$/.test(id));
  return wrong === undefined
    ? undefined
    : `Value '${wrong}' at 'messages.${at}.content.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+`;
}

const usesIn = (message: Json): readonly string[] =>
  blocksIn(message).flatMap(({ toolUse }) => toolUse?.toolUseId ?? []);
const resultsIn = (message: Json): readonly string[] =>
  blocksIn(message).flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);

function callsFlaw(message: Json, next: Json, at: number): string | undefined {
  if (message.role !== 'assistant') return undefined;
  const missing = usesIn(message).filter((id) => !resultsIn(next).includes(id));
  return missing.length === 0
    ? undefined
    : `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${missing.join(', ')}`;
}

function resultsFlaw(message: Json, before: Json, at: number): string | undefined {
  if (message.role !== 'user') return undefined;
  const results = resultsIn(message);
  const asked = usesIn(before);
  if (results.length > asked.length || results.some((id) => !asked.includes(id))) {
    return `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`;
  }
  const twice = repeated(results);
  return twice === undefined
    ? undefined
    : `The toolResult blocks at messages.${at}.content contain duplicate Ids: ${twice}`;
}

function cacheFlaw(request: FakeRequest): string | undefined {
  const isHinted = JSON.stringify(request.body).includes('"cachePoint"');
  return isHinted && !isClaude(request)
    ? 'You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.'
    : undefined;
}

/** One event-stream message: length, length of the headers, checksum, headers, body, checksum. */
function frame(body: Json, name: string, type: 'event' | 'exception' = 'event'): Uint8Array {
  const headers = Buffer.concat([
    header(':message-type', type),
    header(type === 'event' ? ':event-type' : ':exception-type', name),
    header(':content-type', 'application/json'),
  ]);
  const content = Buffer.from(JSON.stringify(body));
  const length = 16 + headers.length + content.length;
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, content]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message), 0);
  return Buffer.concat([message, checksum]);
}

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(value.length, 0);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([7]),
    size,
    Buffer.from(value),
  ]);
}
