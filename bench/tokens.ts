import '../local/quiet.ts';
import { getEncoding } from 'js-tiktoken';
import { asCallId } from '../functions/core/ids.ts';
import type { Entry } from '../functions/core/entry.ts';
import { groupMessages } from '../functions/core/legality.ts';
import type { ModelTool } from '../functions/core/model.ts';
import { profileFor } from '../functions/core/profile.ts';
import { responseText } from '../functions/core/response-text.ts';
import { showValue } from '../functions/core/untrusted-text.ts';
import { measuredHouse } from './life.ts';
import { measuredModel, measuredSession, type SeenRequest } from './session-life.ts';
import { liveTool } from './session-tool.ts';

const encoding = getEncoding('o200k_base');
const profile = profileFor('anthropic', 'claude-measured');

/** What a pattern costs in tokens: all that is sent, and the part that no earlier request had as its head. */
export interface TokenRow {
  readonly pattern: string;
  readonly model_requests: number;
  readonly total: number;
  readonly uncached: number;
}

/** A system text like that of a real agent, about ten thousand tokens. */
const system = Array.from({ length: 640 }, (_, n) => {
  return `Rule ${n}: when the customer asks about article ${n}, look up its price first.`;
}).join('\n');
const result = {
  status: 'completed',
  records: Array.from({ length: 14 }, (_, n) => ({ id: `rec_${n}`, name: `Customer ${n}` })),
};
const questions = ['How is the weather?', 'And tomorrow?', 'What is 2 + 2?', 'Thanks!', 'Ok.'];
const callId = 'call_abc123';

type Sent = Pick<SeenRequest, 'entries' | 'tools'>;

/** A request as text; providers differ in punctuation only. */
function textOf({ entries, tools }: Sent): string {
  const messages = groupMessages(entries, profile).map((message) =>
    JSON.stringify(message, (key, value: unknown) =>
      key === 'responses' && Array.isArray(value) ? value.map(responseLine) : plain(key, value),
    ),
  );
  return [JSON.stringify(tools), ...messages].join('\n');
}

const responseLine = (entry: Extract<Entry, { role: 'tool' }>) =>
  `${entry.callId} ${responseText(entry)}`;
/** What never reaches a provider. */
const ours = new Set(['atMs', 'trigger', 'taskId', 'sequence', 'kind', 'end']);
const plain = (key: string, value: unknown) => (ours.has(key) ? undefined : value);

function rowOf(pattern: string, requests: readonly Sent[]): TokenRow {
  const sent = requests.map((request) => encoding.encode(textOf(request)));
  const uncached = sent.map((tokens, index) => tokens.length - sharedHead(tokens, sent[index - 1]));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    pattern,
    model_requests: requests.length,
    total: sum(sent.map((tokens) => tokens.length)),
    uncached: sum(uncached),
  };
}

function sharedHead(tokens: readonly number[], before: readonly number[] = []): number {
  const differs = tokens.findIndex((token, index) => token !== before[index]);
  return differs === -1 ? tokens.length : differs;
}

/** The real loop on the embedded engines: a call with twenty reports, and chat while it runs. */
export async function boomerangTokens(chats: readonly string[]): Promise<TokenRow> {
  const house = await measuredHouse(() => liveTool(20, result));
  const { model, requests } = measuredModel((_request, count) =>
    count === 1 ? { text: 'On it.', calls: [{ id: callId, name: 'measured', arguments: {} }] } : {},
  );
  const talk = await measuredSession(house, model, { system });
  await talk.say('Process the records of the day, please.');
  await talk.resumeOnce();
  for (const text of chats) {
    await talk.say(text);
    await talk.resumeOnce();
  }
  await house.workOnce();
  await talk.resumeOnce();
  await house.stop();
  return rowOf(chats.length > 0 ? 'boomerang, chat meanwhile' : 'boomerang', requests);
}

const user = (text: string): Entry => ({ role: 'user', text, atMs: 0, trigger: 'user' });
const said = (text: string, call?: { readonly id: string; readonly tool: string }): Entry => ({
  role: 'assistant',
  text,
  calls: call ? [{ callId: asCallId(call.id), tool: call.tool, arguments: {} }] : [],
  atMs: 0,
});
const response = (id: string, value: unknown): Entry => ({
  role: 'tool',
  callId: asCallId(id),
  tool: 'measured',
  status: 'completed',
  value: showValue(JSON.stringify(value)),
  atMs: 0,
});
const blockingTool: ModelTool = {
  name: 'measured',
  description: 'Process the records of one day.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
};
const opening: readonly Entry[] = [
  { role: 'system', text: system, atMs: 0 },
  user('Process the records of the day, please.'),
];

/** A tool that holds the conversation until it is done; the user talks afterwards. */
export function blockingTokens(chats: readonly string[]): TokenRow {
  const called = [...opening, said('On it.', { id: callId, tool: 'measured' })];
  let entries: readonly Entry[] = [...called, response(callId, result)];
  const requests: Sent[] = [opening, entries].map(withTool);
  for (const text of chats) {
    entries = [...entries, said('Understood.'), user(text)];
    requests.push(withTool(entries));
  }
  return rowOf(chats.length > 0 ? 'blocking, chat afterwards' : 'blocking', requests);
}

const withTool = (entries: readonly Entry[]): Sent => ({ entries, tools: [blockingTool] });

/** A tool that gives a job id, and a model that asks for it again and again. */
export function pollingTokens(polls: number): TokenRow {
  let entries: readonly Entry[] = [
    ...opening,
    said('On it.', { id: callId, tool: 'measured' }),
    response(callId, { job_id: 'job-456', status: 'running' }),
  ];
  const requests = [opening, entries].map(withTool);
  for (let n = 1; n <= polls; n += 1) {
    const id = `call_poll${n}`;
    const answer = n < polls ? { job_id: 'job-456', status: 'running', percent: n * 9 } : result;
    entries = [...entries, said('Still waiting.', { id, tool: 'measured' }), response(id, answer)];
    requests.push(withTool(entries));
  }
  return rowOf(`polling, ${polls} times`, requests);
}

if (process.argv[1]?.endsWith('tokens.ts')) {
  const print = (row: object) => process.stdout.write(`${JSON.stringify(row)}\n`);
  const [blocking, boomerang] = [blockingTokens([]), await boomerangTokens([])];
  const [waited, chatted] = [blockingTokens(questions), await boomerangTokens(questions)];
  for (const row of [blocking, boomerang, pollingTokens(10), waited, chatted]) print(row);
  print({ total_ratio: boomerang.total / blocking.total });
  print({ uncached_ratio_with_chat: chatted.uncached / waited.uncached });
}
