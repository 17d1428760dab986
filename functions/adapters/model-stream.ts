import type {
  LanguageModelV3FinishReason,
  LanguageModelV3Reasoning,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import { busy, failureOf, type ModelFailure } from './model-failure.ts';

/** What a model says that is worth keeping, with the provider's own marks on it. */
export type SpokenPart = LanguageModelV3Text | LanguageModelV3Reasoning | LanguageModelV3ToolCall;

export interface Heard {
  readonly kind: 'heard';
  readonly parts: readonly SpokenPart[];
  readonly usage: LanguageModelV3Usage;
  readonly finish: LanguageModelV3FinishReason;
}

type Stream = ReadableStream<LanguageModelV3StreamPart>;
type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

/** Listen until the model has finished. Whatever breaks while reading is the provider's outage. */
export async function hear(
  stream: Stream,
  onText: (piece: string) => void,
): Promise<Heard | ModelFailure> {
  const reader = stream.getReader();
  const spoken = listener(onText);
  try {
    for (;;) {
      const read = await reader.read().catch((thrown: unknown) => ({ thrown }));
      if ('thrown' in read) return failureOf(read.thrown) ?? brokenOff;
      if (read.done) return brokenOff;
      const part = read.value;
      if (part.type === 'error') return failureOf(part.error) ?? brokenOff;
      if (part.type === 'finish') return heard(spoken.parts, part);
      spoken.take(part);
    }
  } finally {
    // Closes the connection of a stream that was left early; it has nothing more to say.
    await reader.cancel().catch(() => undefined);
  }
}

const brokenOff = busy("The provider's answer broke off.");

/** A stream that merely ends, without the provider saying why, is given an unnamed reason by the SDK. */
function heard(parts: readonly SpokenPart[], { usage, finishReason }: Finish) {
  const { unified, raw } = finishReason;
  if (unified === 'error' || (unified === 'other' && raw === undefined)) return brokenOff;
  return { kind: 'heard', parts, usage, finish: finishReason } as const;
}

/** Puts the pieces of each text together again, in the order in which they began. */
function listener(onText: (piece: string) => void) {
  const parts: SpokenPart[] = [];
  const places = new Map<string, number>();
  const add = (type: 'text' | 'reasoning', id: string, delta: string, marks: Marks) => {
    const place = places.get(`${type} ${id}`) ?? parts.length;
    places.set(`${type} ${id}`, place);
    const before = parts[place];
    const text = before?.type === type ? before.text + delta : delta;
    parts[place] = { type, text, ...merged(before?.providerMetadata, marks) };
  };
  // Sources, files and the like have no place in the history.
  const take = (part: LanguageModelV3StreamPart) => {
    if (part.type === 'tool-call' && !part.providerExecuted) parts.push(part);
    if (!isPiece(part)) return;
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const delta = 'delta' in part ? part.delta : '';
    if (type === 'text' && delta !== '') onText(delta);
    add(type, part.id, delta, part.providerMetadata);
  };
  return { parts, take };
}

type Piece = Extract<
  LanguageModelV3StreamPart,
  { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }
>;

const isPiece = (part: LanguageModelV3StreamPart): part is Piece =>
  /^(?:text|reasoning)-/.test(part.type);

type Marks = SharedV3ProviderMetadata | undefined;

/** Marks arrive in several pieces (a signature comes last); a later one wins. */
function merged(before: Marks, after: Marks): { providerMetadata?: SharedV3ProviderMetadata } {
  if (!before || !after) {
    const providerMetadata = before ?? after;
    return providerMetadata ? { providerMetadata } : {};
  }
  const names = Object.keys({ ...before, ...after });
  const both = names.map((name) => [name, { ...before[name], ...after[name] }]);
  return { providerMetadata: Object.fromEntries(both) as SharedV3ProviderMetadata };
}
