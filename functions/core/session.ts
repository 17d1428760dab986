import type { Owner, SessionId } from './ids.ts';
import type { StoredValue } from './stored-value.ts';
import type { JsonSchema } from './tool.ts';

export interface SessionKey {
  readonly owner: Owner;
  readonly sessionId: SessionId;
}

/** A stored conversation: what never changes after its creation, and where its history was last compacted. */
export interface Session extends SessionKey {
  readonly createdAtMs: number;
  readonly system: string;
  /** As the deployment names models; undefined means the deployment's own default. */
  readonly model: string | undefined;
  /** Names of the deployment's tools; undefined means all of them. */
  readonly tools: readonly string[] | undefined;
  /** Tools whose responses the caller posts itself. */
  readonly ownTools: readonly OwnTool[];
  readonly webhookUrl: string | undefined;
  readonly policy: Policy;
  readonly snapshot: Snapshot | undefined;
}

/** A tool the caller owns: we show it to the model and wait; the caller does the work. */
export interface OwnTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly results: number;
  readonly progressAt: readonly number[];
}

export interface Policy {
  /** Go on when every pending call has ended, or at each end. */
  readonly pending: 'all' | 'each';
  /** What becomes of user input that arrives while the model is speaking. */
  readonly doubleText: 'enqueue' | 'merge' | 'interrupt' | 'reject';
  readonly consolidation: 'auto' | 'replace' | 'append';
  readonly slots: number;
  /** How many turns in a row the model may make calls for one user input. */
  readonly turnsMax: number;
  readonly debounceMs: number;
  /** Whether progress may start a turn. */
  readonly progress: 'interrupt' | 'when_idle' | 'silent';
}

export const policyDefault: Policy = {
  pending: 'all',
  doubleText: 'enqueue',
  consolidation: 'auto',
  slots: 3,
  turnsMax: 8,
  debounceMs: 200,
  progress: 'when_idle',
};

/** The history up to and including a turn, consolidated; what came before it is not read again. */
export interface Snapshot {
  readonly turn: number;
  /** The compacted history as JSON. */
  readonly history: StoredValue;
}

/** One thing the user said, numbered like turns because clocks cannot order inputs. */
export interface Input {
  readonly number: number;
  /** The client's own name for it: saying it twice is saying it once. */
  readonly inputId: string;
  readonly text: string;
  readonly atMs: number;
}
