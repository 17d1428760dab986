import { getEncoding } from 'js-tiktoken';
import type { Entry } from '../functions/core/entry.ts';
import { eventText } from '../functions/core/event-text.ts';
import { asCallId, asTaskId } from '../functions/core/ids.ts';
import { groupMessages } from '../functions/core/legality.ts';
import { profileFor } from '../functions/core/profile.ts';
import { responseText } from '../functions/core/response-text.ts';
import type { Delivery } from '../functions/core/turn.ts';
import type { SeenRequest } from './session-life.ts';

const encoding = getEncoding('o200k_base');
const profile = profileFor('anthropic', 'claude-measured');

/** What a pattern costs in tokens: all that is sent, and the part that no earlier request had as its head. */
export interface TokenRow {
  readonly pattern: string;
  readonly model_requests: number;
  readonly total: number;
  readonly uncached: number;
}

export type Sent = Pick<SeenRequest, 'entries' | 'tools'>;

export function rowOf(pattern: string, requests: readonly Sent[]): TokenRow {
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

function sharedHead(tokens: readonly number[], before: readonly number[] = []): number {
  const differs = tokens.findIndex((token, index) => token !== before[index]);
  return differs === -1 ? tokens.length : differs;
}

/** Ids as the providers make them; each alone costs 17 to 20 tokens. */
const providerIds = [
  'toolu_01XFDUDYJgAACzvnptvVoYEL',
  'call_Vw3hQd9sLmN2xYzAbCdEfGhI',
  'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q',
];

/** What one event adds to a request at the most: progress of twelve words, and an end without its result. */
export function eventTokens(): { readonly progress: number; readonly end: number } {
  const message = 'Installed nine of twelve packages and now running the slower tests again';
  const value = { json: '', bytes: 0, cut: false };
  return {
    progress: most({ kind: 'progress', status: 'working', percent: 50, message }),
    end: most({ kind: 'end', status: 'completed', value }),
  };
}

function most(news: Pick<Delivery, 'kind' | 'status'> & Partial<Delivery>): number {
  const base = { taskId: asTaskId('task_1'), tool: 'measured', sequence: 12 } as const;
  const texts = providerIds.map((id) => {
    const delivery: Delivery = { ...base, callId: asCallId(id), way: 'append', ...news };
    return eventText(delivery, { nonce: 'k3f9ab', open: [], deliveries: [delivery] }, true);
  });
  return Math.max(...texts.map((text) => encoding.encode(text).length));
}
