import type { Entry } from './entry.ts';
import type { JsonSchema } from './tool.ts';
import type { Usage } from './turn.ts';

/** What a provider allows in a history; each has its own errors for what it does not. */
export interface ModelProfile {
  readonly provider: Provider;
  /** Whether what was sent once may be changed later. */
  readonly rewrites: boolean;
  /** How long its prompt cache stays warm after a request; rewriting a warm prefix costs money. */
  readonly cacheMs: number;
  /** Whether text may stand beside tool responses in one message. */
  readonly textBesideResponses: boolean;
}

export type Provider =
  'anthropic' | 'openai-chat' | 'openai-responses' | 'bedrock' | 'gemini' | 'scripted';

export interface Model {
  readonly name: string;
  readonly profile: ModelProfile;
  generate(request: ModelRequest): Promise<ModelOutcome>;
}

export interface ModelRequest {
  readonly entries: readonly Entry[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  /** Called with each piece of text as it is spoken. */
  onText(piece: string): void;
}

/** A tool as the model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** What may be refused is a value; anything thrown is a bug or an outage of our own. */
export type ModelOutcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  /** Not now: rate limit, overload, timeout. The turn is tried again later, with the same intent. */
  | { readonly kind: 'busy'; readonly afterMs: number; readonly detail: string }
  /** Never: a wrong key, a wrong model, a request the provider rejects. */
  | { readonly kind: 'refused'; readonly detail: string };

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly parts?: unknown;
  readonly usage: Usage;
}

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}
