import type { Owner } from './ids.ts';
import type { Result } from './result.ts';
import type { RetryRule } from './retry.ts';

/** What a tool's author is given beside the input. */
export interface TaskContext {
  readonly owner: Owner;
  /** The same for every attempt at this call: pass it on to whatever dedupes. */
  readonly idempotencyKey: string;
  /** Counts from one. */
  readonly attempt: number;
  /** Aborts on cancel, at the deadline, and shortly before the function's own end. */
  readonly signal: AbortSignal;
  /** What the last `checkpoint` kept, or undefined on a first run. */
  readonly state: unknown;
  progress(percent: number, message?: string): Promise<void>;
  checkpoint(value: unknown): Promise<void>;
}

/** What a person is asked, and the form of the answer. */
export interface Question {
  readonly message: string;
  readonly schema: JsonSchema;
}

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A tool as the house uses it: checked at start-up, its schemas already plain JSON. */
export interface Tool {
  readonly name: string;
  /** As the model reads it, the waiting guidance included. */
  readonly description: string;
  readonly longRunning: boolean;
  /** Refused for a client of 2026-07-28 that does not understand tasks, instead of held for it. */
  readonly tasksOnly?: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly deadlineMs: number;
  /** What must be asked before it begins, by the argument that each answer becomes. */
  asksFirst?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, Question>>;
  checkInput(input: unknown): Result<unknown>;
  checkResult(result: unknown): Result<unknown>;
  retryRule(input: unknown): RetryRule;
  run(input: unknown, task: TaskContext): Promise<unknown>;
}

export type Tools = ReadonlyMap<string, Tool>;
