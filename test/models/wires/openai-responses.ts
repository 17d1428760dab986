import { createHash } from 'node:crypto';
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
import { openaiChatWire } from './openai-chat.ts';

/** OpenAI Responses without a store: every item must be in the request, and reasoning sealed. */
export const openaiResponsesWire: Wire = {
  contentType: 'text/event-stream',
  accepts: ({ headers }) => headers.authorization === `Bearer ${testKey}`,
  errorBody: (status, message) => openaiChatWire.errorBody(status, message),
  overloadFrame: () =>
    sse({
      type: 'error',
      sequence_number: 2,
      error: {
        type: 'server_error',
        code: 'server_is_overloaded',
        message: 'Our servers are overloaded.',
        param: null,
      },
    }),
  illegality({ path, body }) {
    if (!path.endsWith('/v1/responses')) return `Invalid URL (POST ${path})`;
    const input: readonly Json[] = body.input;
    return firstFlaw(
      () => (body.store === false ? undefined : 'This server keeps nothing.'),
      () => unknownItem(input),
      () => callsFlaw(input),
      () => outputsFlaw(input),
      () => reasoningFlaw(input),
    );
  },
  frames: (words) => {
    const items = itemsOf(words);
    return [
      sse({ type: 'response.created', response: responseOf(words, 'in_progress') }),
      ...items.flatMap(({ item, deltas }, output_index) => [
        sse({
          type: 'response.output_item.added',
          output_index,
          item: { ...item, status: 'in_progress' },
        }),
        ...deltas.map((delta) => sse({ ...delta, item_id: item.id, output_index })),
        sse({ type: 'response.output_item.done', output_index, item }),
      ]),
      sse({
        type: words.stop ? 'response.incomplete' : 'response.completed',
        response: responseOf(words, words.stop ? 'incomplete' : 'completed'),
      }),
    ];
  },
};

const responseOf = (words: Words, status: string): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'gpt-test',
  status,
  output: [],
  incomplete_details: words.stop
    ? { reason: { length: 'max_output_tokens', filter: 'content_filter' }[words.stop] }
    : null,
  usage: {
    input_tokens: words.usage?.input ?? 11,
    input_tokens_details: { cached_tokens: words.usage?.cached ?? 0 },
    output_tokens: words.usage?.output ?? 7,
    output_tokens_details: { reasoning_tokens: 0 },
  },
});

const sealOf = (id: string) => createHash('sha256').update(id).digest('base64');

interface Item {
  readonly item: Json;
  readonly deltas: readonly Json[];
}

function itemsOf({ thinking, text, calls = [] }: Words): readonly Item[] {
  const items: Item[] = [];
  if (thinking !== undefined) {
    const id = `rs_${thinking.length}`;
    items.push({
      item: { type: 'reasoning', id, summary: [], encrypted_content: sealOf(id) },
      deltas: [],
    });
  }
  if (text !== undefined) {
    const id = `msg_${text.length}`;
    items.push({
      item: {
        type: 'message',
        id,
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
      deltas: halves(text).map((delta) => ({
        type: 'response.output_text.delta',
        content_index: 0,
        delta,
        logprobs: [],
      })),
    });
  }
  for (const { id, name, input } of calls) {
    items.push({
      item: {
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: inputText(input),
        status: 'completed',
      },
      deltas: halves(inputText(input)).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        delta,
      })),
    });
  }
  return items;
}

function unknownItem(input: readonly Json[]): string | undefined {
  const reference = input.find(({ type }) => type === 'item_reference');
  return reference
    ? `Item with id '${reference.id}' not found. Items are not persisted when \`store\` is set to false.`
    : undefined;
}

const idsOf = (input: readonly Json[], wanted: string): readonly string[] =>
  input.filter(({ type }) => type === wanted).map(({ call_id: id }) => id);

function callsFlaw(input: readonly Json[]): string | undefined {
  const outputs = idsOf(input, 'function_call_output');
  const calls = idsOf(input, 'function_call');
  const missing = calls.find((id) => !outputs.includes(id));
  if (missing !== undefined) return `No tool output found for function call ${missing}.`;
  const twice = repeated(calls);
  return twice === undefined ? undefined : `Duplicate item found with call_id ${twice}.`;
}

function outputsFlaw(input: readonly Json[]): string | undefined {
  const orphan = input.find(
    ({ type, call_id: id }, at) =>
      type === 'function_call_output' && !idsOf(input.slice(0, at), 'function_call').includes(id),
  );
  if (orphan) return `No tool call found for function call output with call_id ${orphan.call_id}.`;
  const twice = repeated(idsOf(input, 'function_call_output'));
  return twice === undefined
    ? undefined
    : `Duplicate function_call_output for call_id ${twice}: there must be exactly one.`;
}

function reasoningFlaw(input: readonly Json[]): string | undefined {
  const forged = input.find(
    ({ type, id, encrypted_content: seal }) => type === 'reasoning' && seal !== sealOf(id),
  );
  return forged ? `The encrypted content for item ${forged.id} could not be verified.` : undefined;
}
