import type { AssistantEntry, Entry, ResponseEntry } from './entry.ts';
import { runsOf } from './exchange.ts';
import type { ModelProfile } from './model.ts';
import type { Call } from './turn.ts';

/** A history as providers take it: at most one system message, then both sides in turn. */
export type Message = SystemMessage | UserMessage | AssistantMessage;

interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}

/** Responses stand before texts: all providers want them directly after the calls. */
export interface UserMessage {
  readonly role: 'user';
  readonly responses: readonly ResponseEntry[];
  /** The user's words and fenced events, in order. */
  readonly texts: readonly string[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly text: string;
  readonly calls: readonly Call[];
  readonly parts?: unknown;
}

/** Stands between responses and text where a provider takes them only apart, so that one request is enough. */
const filler: AssistantMessage = { role: 'assistant', text: 'Noted.', calls: [] };

export function groupMessages(
  entries: readonly Entry[],
  profile: ModelProfile,
): readonly Message[] {
  const words = entries.flatMap((entry) => (entry.role === 'system' ? [entry.text] : []));
  const system = words.filter((text) => text.trim() !== '').join('\n\n');
  const said = entries.filter((entry) => entry.role !== 'system');
  const messages = runsOf(said).flatMap((run) => messagesOf(run, profile));
  return system === '' ? messages : [{ role: 'system', text: system }, ...messages];
}

function messagesOf(run: readonly Entry[], profile: ModelProfile): readonly Message[] {
  const [first] = run;
  if (first?.role === 'assistant') return [assistantMessage(first)];
  const responses = run.filter((entry) => entry.role === 'tool');
  const texts = run.flatMap((entry) =>
    entry.role === 'user' || entry.role === 'event' ? [entry.text] : [],
  );
  const mustPart = !profile.textBesideResponses && responses.length > 0 && texts.length > 0;
  if (!mustPart) return [{ role: 'user', responses, texts }];
  return [{ role: 'user', responses, texts: [] }, filler, { role: 'user', responses: [], texts }];
}

const assistantMessage = ({ text, calls, ...entry }: AssistantEntry): AssistantMessage => ({
  role: 'assistant',
  text,
  calls,
  ...(entry.parts === undefined ? {} : { parts: entry.parts }),
});
