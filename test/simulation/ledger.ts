import type { TaskError } from '../../functions/core/task.ts';

/** What an observer outside the house knows about one task. */
export interface TaskRecord {
  readonly taskId: string;
  end: string | undefined;
  /** True time, on no one's clock. */
  endedAtMs: number;
  fence: number;
  checkpointFence: number;
  percent: number;
  sequence: number;
  runs: number;
  accepted: boolean;
  cancelAsked: boolean;
  poisonSent: boolean;
  /** Digests of the arguments that were refused a start. */
  readonly refused: Set<string>;
  readonly ran: Set<string>;
  /** What people said to its questions, and what its tool heard. */
  readonly said: Set<string>;
  readonly heard: Map<string, boolean>;
}

/** The end a call comes to when nothing goes wrong. */
export type ExpectedEnd = 'completed' | TaskError['code'];

/** One call as its client means it. */
export interface KnownCall {
  readonly tool: string;
  readonly idempotent: boolean;
  readonly resultDigest: string;
  readonly expected: ExpectedEnd;
  /** Started after the last fault, so nothing excuses another end. */
  readonly clean: boolean;
}

export interface Ledger {
  readonly tasks: Map<string, TaskRecord>;
  /** Tasks that are stored and have not ended. */
  open: number;
  /** By the digest of the arguments. */
  readonly calls: Map<string, KnownCall>;
  /** The idempotency keys under which one numbered effect of one call was had. */
  readonly effects: Map<string, Set<string>>;
}

export const newLedger = (): Ledger => ({
  tasks: new Map(),
  open: 0,
  calls: new Map(),
  effects: new Map(),
});

export function recordOf({ tasks }: Ledger, taskId: string): TaskRecord {
  const known = tasks.get(taskId);
  if (known) return known;
  const fresh: TaskRecord = {
    taskId,
    end: undefined,
    endedAtMs: 0,
    fence: 0,
    checkpointFence: 0,
    percent: 0,
    sequence: 0,
    runs: 0,
    accepted: false,
    cancelAsked: false,
    poisonSent: false,
    refused: new Set(),
    ran: new Set(),
    said: new Set(),
    heard: new Map(),
  };
  tasks.set(taskId, fresh);
  return fresh;
}
