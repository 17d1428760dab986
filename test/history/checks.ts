import type { Entry } from '../../functions/core/entry.ts';
import { runsOf } from '../../functions/core/exchange.ts';
import { illegalMessages, type Message } from '../../functions/core/legality.ts';
import type { ModelProfile } from '../../functions/core/model.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { responseText } from '../../functions/core/response-text.ts';
import { unsaid } from './conversation.ts';
import type { Request, Told } from './table.ts';

/** Profiles that take the same history: the first decides how ends are delivered. */
export const frozenProfiles = [
  profileFor('anthropic', 'claude-fable-5-1'),
  profileFor('bedrock', 'eu.anthropic.claude-opus-4-8'),
] as const;
export const freeProfiles = [
  profileFor('openai-chat', 'gpt-6'),
  profileFor('openai-responses', 'gpt-6'),
  profileFor('gemini', 'gemini-3'),
  profileFor('bedrock', 'amazon.nova-pro-v1:0'),
] as const;

/** What is wrong with a request, or nothing. */
export function flawsOf(
  request: Request,
  told: Told,
  profiles: readonly ModelProfile[],
  messagesFor: (profile: ModelProfile) => readonly Message[],
): string[] {
  const { entries } = request;
  return [
    ...profiles.flatMap((profile) =>
      illegalMessages(messagesFor(profile), profile).map((flaw) => `${profile.provider}: ${flaw}`),
    ),
    ...lostWords(entries, told),
    ...inventions(entries),
    ...unordered(request),
    ...closings(entries, told),
  ];
}

/** S7: each input once, in order. */
function lostWords(entries: readonly Entry[], { inputs }: Told): string[] {
  const shown = entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
  const same = shown.length === inputs.length && shown.every((text, n) => text === inputs[n]);
  return same
    ? []
    : [`the user said ${inputs.join(' ')} and is shown to have said ${shown.join(' ')}`];
}

/** A reply that was thrown away, and a response that is lost though it was stored. */
const inventions = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.role === 'assistant') return entry.text === unsaid ? ['the unsaid is said'] : [];
    return entry.role === 'tool' && entry.error?.code === 'lost' ? ['a response is lost'] : [];
  });

/** Responses first and in request order; what the user says before what tasks bring. */
function unordered({ entries, intent }: Request): string[] {
  const flaws: string[] = [];
  const runs = runsOf(entries);
  for (const [n, run] of runs.entries()) {
    const [asking] = runs[n - 1] ?? [];
    const calls = asking?.role === 'assistant' ? asking.calls : [];
    const first = run.slice(0, calls.length);
    if (run[0]?.role !== 'assistant' && run[0]?.role !== 'system') {
      const inOrder = calls.every(({ callId }, at) => {
        const entry = first[at];
        return entry?.role === 'tool' && entry.callId === callId;
      });
      if (!inOrder) flaws.push(`responses to ${calls.map((c) => c.callId).join()} out of order`);
    }
  }
  const tail = runs.at(-1) ?? [];
  const event = tail.findIndex((entry) => entry.role === 'event' && isOf(entry.text, intent.nonce));
  const texts = new Set(intent.inputs.map(({ text }) => text));
  const input = tail.findLastIndex((entry) => entry.role === 'user' && texts.has(entry.text));
  if (event !== -1 && input > event) flaws.push('an event stands before the user');
  return flaws;
}

const isOf = (text: string, nonce: string) => text.startsWith(`<task-event ${nonce} `);

/** S2: a call that has ended is closed once, one that is open is not. */
function closings(entries: readonly Entry[], { ended, open }: Told): string[] {
  const closed = new Map<string, number>();
  const corrected = new Map<string, number>();
  for (const entry of entries) {
    if (entry.role !== 'tool' && entry.role !== 'event') continue;
    if (entry.taskId === undefined) continue;
    const closes = entry.role === 'tool' ? entry.status !== 'working' : entry.end !== undefined;
    closed.set(entry.taskId, (closed.get(entry.taskId) ?? 0) + (closes ? 1 : 0));
    if (entry.role === 'event' && entry.kind === 'correction') {
      corrected.set(entry.taskId, (corrected.get(entry.taskId) ?? 0) + 1);
    }
  }
  const answered = new Set(
    entries.flatMap((entry) => (entry.role === 'tool' && entry.taskId ? [entry.taskId] : [])),
  );
  return [
    ...[...answered].flatMap((taskId) => {
      const expected = ended.has(taskId) ? 1 : 0;
      const times = closed.get(taskId) ?? 0;
      return times === expected ? [] : [`${taskId} is closed ${times} times, not ${expected}`];
    }),
    ...open.flatMap(({ taskId }) => (answered.has(taskId) ? [] : [`open ${taskId} is gone`])),
    ...[...corrected].flatMap(([taskId, n]) =>
      n > 1 ? [`${taskId} is corrected ${n} times`] : [],
    ),
  ];
}

/** A request as the stream of blocks that a provider's cache and signatures are bound to. */
export function blocksOf(messages: readonly Message[]): string {
  let blocks = '';
  for (const message of messages) {
    if (message.role === 'system') blocks += `system ${message.text}\n`;
    else if (message.role === 'assistant') {
      blocks += `assistant ${message.text} ${JSON.stringify(message.calls)}`;
      blocks += ` ${JSON.stringify(message.parts)}\n`;
    } else {
      for (const entry of message.responses) {
        blocks += `response ${entry.callId} ${responseText(entry)}\n`;
      }
      for (const text of message.texts) blocks += `user ${text}\n`;
    }
  }
  return blocks;
}
