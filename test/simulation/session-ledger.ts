import type { Entry } from '../../functions/core/entry.ts';
import type { Session } from '../../functions/core/session.ts';

/** What an observer outside the house knows about one session. */
export interface SessionRecord {
  readonly session: Session;
  readonly name: string;
  /** Ids of inputs that were answered with a number, by that number. */
  readonly accepted: Map<number, string>;
  /** Every different request a model got, shortest first. */
  readonly requests: (readonly Entry[])[];
  /** Tasks that were started and have not ended. */
  readonly running: Set<string>;
}

export interface SessionLedger {
  readonly records: Map<string, SessionRecord>;
  /** Model requests in all. */
  requests: number;
}

export const newSessionLedger = (): SessionLedger => ({ records: new Map(), requests: 0 });
