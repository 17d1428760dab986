import type { Entry } from '../functions/core/entry.ts';
import { asCallId } from '../functions/core/ids.ts';
import type { ModelTool } from '../functions/core/model.ts';
import { showValue } from '../functions/core/untrusted-text.ts';
import { rowOf, type Sent, type TokenRow } from './token-count.ts';

/** The conversation that every pattern holds. */

/** A system text like that of a real agent, about ten thousand tokens. */
export const system = Array.from({ length: 640 }, (_, n) => {
  return `Rule ${n}: when the customer asks about article ${n}, look up its price first.`;
}).join('\n');
export const wish = 'Process the records of the day, please.';
export const result = {
  status: 'completed',
  records: Array.from({ length: 14 }, (_, n) => ({ id: `rec_${n}`, name: `Customer ${n}` })),
};
export const questions = [
  'How is the weather?',
  'And tomorrow?',
  'What is 2 + 2?',
  'Thanks!',
  'Ok.',
];
export const callId = 'call_abc123';

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
const opening: readonly Entry[] = [{ role: 'system', text: system, atMs: 0 }, user(wish)];
const withTool = (entries: readonly Entry[]): Sent => ({ entries, tools: [blockingTool] });

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
