import type { Entry } from '../../functions/core/entry.ts';
import type { Past } from '../../functions/core/history.ts';
import type { ModelProfile } from '../../functions/core/model.ts';
import type { Policy } from '../../functions/core/session.ts';
import type { Intent, OpenCall, Turn } from '../../functions/core/turn.ts';
import type { Chance } from '../simulation/chance.ts';

/** What is about to be sent to the model. */
export interface Request {
  readonly past: Past;
  readonly entries: readonly Entry[];
  readonly intent: Intent;
  /** A result went back to its place, or the history was compacted, since the request before. */
  readonly rewrote: boolean;
  readonly compacted: boolean;
}

export interface Told {
  /** Every input so far whose words no compaction has left out. */
  readonly inputs: readonly string[];
  /** Every call that has ended, by its task. */
  readonly ended: ReadonlySet<string>;
  readonly open: readonly OpenCall[];
}

export interface Player {
  readonly chance: Chance;
  readonly profile: ModelProfile;
  readonly render: (past: Past) => readonly Entry[];
  readonly squeeze: (entries: readonly Entry[], bytesMax: number) => readonly Entry[];
  readonly look: (request: Request, told: Told) => void;
  /** How often something came about, so that nobody believes in a test that tests nothing. */
  readonly count: (what: string) => void;
}

/** How a conversation stands. */
export interface Table {
  readonly policy: Policy['consolidation'];
  readonly longRunning: boolean;
  turns: Turn[];
  /** Also after a snapshot, when it is no longer among the turns. */
  last: Turn | undefined;
  snapshot: readonly Entry[] | undefined;
  snapshotTurn: number;
  covered: Turn | undefined;
  nowMs: number;
  lastRequestAtMs: number;
  inputs: string[];
  inputCount: number;
  readonly ended: Set<string>;
  compacted: boolean;
}
