import type { CiRun, CiSource } from './ci/report.ts';
import type { ResultCount } from './guidance.ts';
import type { Owner } from './ids.ts';
import type { Report } from './progress.ts';
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
  /** Give one of several results; what the tool returns is the last of them. */
  result(value: unknown): Promise<void>;
  checkpoint(value: unknown): Promise<void>;
  /**
   * Ask whoever called. Without an answer yet the run ends here and begins again from the top once there
   * is one; then this returns it at once. Whatever must not happen before stands after it.
   */
  ask(question: AskedQuestion): Promise<Answer>;
  /** Several at once; the answers in the same order. */
  askAll(questions: readonly AskedQuestion[]): Promise<readonly Answer[]>;
  /** Where others may report how far it is and how it ended. A quick call has none. */
  readonly callback: Callback | undefined;
  /** Whether the user has spoken since a session told what this task asks; of use to a quick tool only. */
  readonly heardUser?: (taskId: string) => boolean;
  /** Say which CI run does the work: what its webhooks tell is then about this task. */
  register(run: CiRun): Promise<void>;
}

/** What is known of a task whose work is asked about. */
export interface CheckContext {
  readonly owner: Owner;
  readonly idempotencyKey: string;
  readonly correlationId: string;
  readonly createdAtMs: number;
  readonly signal: AbortSignal;
}

/** What someone outside says about a task's work. */
export type CheckAnswer =
  | { readonly result: unknown }
  | { readonly error: string | { readonly code?: string | undefined; readonly message: string } }
  | { readonly progress: Report };

export interface Callback {
  readonly url: string;
  /** Whoever carries it may report on this one task; it belongs in no log. */
  readonly token: string;
  readonly expiresAtMs: number;
  /** Names the task to systems that only hand a text through. */
  readonly correlationId: string;
}

/** What a person is asked, and the form of the answer. */
export interface Question {
  readonly message: string;
  readonly schema: JsonSchema;
}

/** Its key is its own for the life of the task: the same key again is the same question. */
export interface AskedQuestion extends Question {
  readonly key: string;
  /** Only a person may answer: a model that answers for one must have heard them since. */
  readonly for?: 'user' | undefined;
}

/** What a person said to a question; the content fits its schema. */
export type Answer =
  | { readonly action: 'accept'; readonly content: unknown }
  | { readonly action: 'decline' | 'cancel' };

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
  /** How long a task of it may say nothing; undefined: until its deadline. */
  readonly silenceMs: number | undefined;
  /** It only sets something off: what `run` returns is no result, the end comes from outside. */
  readonly external: boolean;
  /** Whose CI runs do the work: no other may speak for a task of it by its planted id. */
  readonly source?: CiSource | undefined;
  /** Percentages at which a session hears how far it is, ascending. */
  readonly progressAt: readonly number[];
  /** How many results a call with this input gives. */
  results(input: unknown): ResultCount;
  /** What must be asked before it begins, by the argument that each answer becomes. */
  asksFirst?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, Question>>;
  checkInput(input: unknown): Result<unknown>;
  checkResult(result: unknown): Result<unknown>;
  retryRule(input: unknown): RetryRule;
  run(input: unknown, task: TaskContext): Promise<unknown>;
  /** After how long the system that does the work is first asked about it. */
  readonly checkMs?: number | undefined;
  /** Ask it; undefined while there is nothing to say. */
  check?(input: unknown, task: CheckContext, initial: unknown): Promise<CheckAnswer | undefined>;
}

export type Tools = ReadonlyMap<string, Tool>;

/** What every provider takes as a name. */
export const isToolName = (name: string) => /^[A-Za-z0-9_-]{1,64}$/.test(name);
