import { newSessionId, newToken } from '../../functions/adapters/process.ts';
import { digestOf } from '../../functions/core/digest.ts';
import { asOwner } from '../../functions/core/ids.ts';
import {
  policyDefault,
  type Input,
  type Session,
  type SessionKey,
} from '../../functions/core/session.ts';
import type { StoredValue } from '../../functions/core/stored-value.ts';
import type { Intent, Reply, TurnRecord } from '../../functions/core/turn.ts';

export const near = (value: unknown): StoredValue => {
  const json = JSON.stringify(value);
  return { at: 'near', digest: digestOf(json), bytes: Buffer.byteLength(json), json };
};
export const far: StoredValue = {
  at: 'far',
  digest: 'd'.repeat(43),
  bytes: 5_000_000,
  key: `alice/${'d'.repeat(43)}`,
};
/** As large as a value may be that travels with its item, and hard to deflate. */
export const large = near({ text: digests(1400) });

export function digests(count: number): string {
  return Array.from({ length: count }, (_, n) => digestOf(String(n))).join('');
}

const alice = asOwner('alice');
export const newKey = (owner = alice): SessionKey => ({ owner, sessionId: newSessionId() });

export const newSession = (more: Partial<Session> = {}): Session => ({
  ...newKey(),
  createdAtMs: 1000,
  system: 'You help.',
  model: undefined,
  tools: undefined,
  ownTools: [],
  webhookUrl: undefined,
  policy: policyDefault,
  snapshot: undefined,
  ...more,
});

export const turnNumbered = (number: number, more: Partial<TurnRecord> = {}): TurnRecord => ({
  number,
  claim: { fence: 1, untilMs: 5000, token: 'first' },
  intent: near({ trigger: 'user', number }),
  reply: undefined,
  quick: undefined,
  ...more,
});

export const inputNumbered = (number: number, text = `say ${number}`): Input => ({
  number,
  inputId: `in_${number}`,
  text,
  atMs: 2000 + number,
});

export const numbersOf = (items: readonly { readonly number: number }[]) =>
  items.map((i) => i.number);
export const reply = (text: string, fence = 1, untilMs = 0) => ({
  fence,
  untilMs,
  reply: near({ text }),
});
export const taking = (fence: number, nowMs: number, token = 'second') => ({
  fence,
  nowMs,
  claim: { untilMs: nowMs + 1000, token },
});
export const winners = async <T>(tries: readonly Promise<T>[]) =>
  (await Promise.all(tries)).filter((won) => won !== undefined && won !== false);
export const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

export const byNumber = (a: number, b: number) => a - b;

/** Numbers and ids of the length they really have. */
export const sampleAtMs = 1_794_992_616_185;

export const sampleIntent = (more: Partial<Intent>): Intent => ({
  trigger: 'user',
  actor: 'in_9f86d081884c7d65',
  beganAtMs: sampleAtMs,
  nonce: newToken(),
  inputs: [],
  inputsThrough: 1,
  quick: [],
  placeholders: [],
  deliveries: [],
  open: [],
  correctable: [],
  arbitrations: [],
  ...more,
});

export const sampleReply = (more: Partial<Reply>): Reply => ({
  text: 'I will start the deployment of v2.5.0 to staging now.',
  calls: [],
  model: 'bedrock:global.anthropic.claude-sonnet-4-5-20250929-v1:0',
  usage: { inputTokens: 1423, outputTokens: 87, cachedTokens: 1024 },
  finishReason: 'stop',
  atMs: sampleAtMs,
  ...more,
});
