import type { Entry } from '../core/entry.ts';
import type { Model, ModelCall, ModelProfile, ModelRequest } from '../core/model.ts';
import { profileFor } from '../core/profile.ts';
import { bytesOf } from '../core/text.ts';
import type { Usage } from '../core/turn.ts';
import type { Clock } from '../ports.ts';
import { aborted, type ModelFailure } from './model-failure.ts';

/** What a model without a mind says to a request. The same request is given the same answer. */
export interface Speech {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** Sent back with the history, like a provider's own parts. */
  readonly parts?: unknown;
  /** Waited before the first word. */
  readonly delayMs?: number;
  /** Said instead of the rest. */
  readonly failure?: ModelFailure;
  /** Called when nobody listened to the end. */
  onCut?(): void;
}

export type Speaker = (request: Pick<ModelRequest, 'entries' | 'tools'>) => Speech;

export const scriptedProfile: ModelProfile = profileFor('scripted', 'scripted');

/** Words come in pieces of about a line's third, a moment apart, so that streaming can be seen. */
const pieceLength = 24;
const pieceMs = 8;

/** A model that needs no key and no network: the whole experience can be felt without either. */
export const scriptedModel = (
  name: string,
  speak: Speaker,
  clock: Pick<Clock, 'sleep'>,
): Model => ({
  name,
  profile: scriptedProfile,
  async generate(request) {
    const speech = speak(request);
    const { text, calls, parts, delayMs = 0, failure } = speech;
    if (delayMs > 0) await clock.sleep(delayMs, request.signal);
    if (failure) return failure;
    await say(text, request, clock);
    if (request.signal.aborted) {
      speech.onCut?.();
      return aborted;
    }
    const reply = { text, calls, usage: usageOf(request.entries, text, calls) };
    return { kind: 'reply', reply: parts === undefined ? reply : { ...reply, parts } };
  },
});

async function say(
  text: string,
  request: ModelRequest,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  for (const [index, piece] of piecesOf(text).entries()) {
    if (index > 0) await clock.sleep(pieceMs, request.signal);
    if (request.signal.aborted) return;
    request.onText(piece);
  }
}

/** Cut behind a space, so that no word is torn. */
const piecesOf = (text: string): readonly string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${pieceLength}}\\S*\\s*`, 'g')) ?? [];

/** Nobody counts for a script; a token is about four bytes of English. */
function usageOf(entries: readonly Entry[], text: string, calls: readonly ModelCall[]): Usage {
  const tokens = (words: string) => Math.ceil(bytesOf(words) / 4);
  return {
    inputTokens: tokens(entries.map(wordsOf).join('')),
    outputTokens: tokens(text + calls.map((call) => JSON.stringify(call)).join('')),
    cachedTokens: 0,
  };
}

function wordsOf(entry: Entry): string {
  if (entry.role === 'tool') return JSON.stringify(entry);
  return entry.role === 'assistant' ? entry.text + JSON.stringify(entry.calls) : entry.text;
}
