import type * as z from 'zod';
import type { CiSource } from '../core/ci/report.ts';
import { checkDefaultMs } from '../core/limits.ts';
import type { Callback, CheckAnswer, CheckContext, TaskContext, Tool } from '../core/tool.ts';
import { deadlineSMax, isWhole, wrongDefinition } from './check-definition.ts';
import { defineTool, type ToolDefinition } from './define-tool.ts';

/** A tool whose work is done elsewhere: it only sets it off, and the end comes to `task.callback`. */
export interface ExternalDefinition<
  Input extends z.ZodObject,
  Output extends z.ZodType,
> extends Omit<ToolDefinition<Input, Output>, 'run' | 'longRunning' | 'results'> {
  /** How long it may say nothing before it counts as dead; until its deadline unless said. */
  readonly silenceS?: number;
  /** How soon the system that does the work is first asked about it; a minute unless said. */
  readonly checkAfterS?: number;
  /** Whose CI runs do the work, if it is known: another's word about a task of it counts for nothing. */
  readonly source?: CiSource | undefined;
  /** What it returns is shown to whoever waits, until the result comes. */
  start(input: z.output<Input>, task: ExternalContext): unknown;
  /**
   * Ask the system that does the work, for when its word got lost: the end, how far it is, or undefined
   * while there is nothing to say. It is asked at growing intervals.
   */
  readonly check?:
    | ((
        input: z.output<Input>,
        task: CheckContext,
        initial: unknown,
      ) => Promise<CheckAnswer | undefined> | CheckAnswer | undefined)
    | undefined;
}

export type ExternalContext = Omit<TaskContext, 'result' | 'callback'> & {
  readonly callback: Callback;
};

/** Check a definition and make it a long-running tool that hands its work off. */
export function external<Input extends z.ZodObject, Output extends z.ZodType = z.ZodUnknown>(
  definition: ExternalDefinition<Input, Output>,
): Tool {
  const { silenceS, check, checkAfterS, source, ...rest } = definition;
  const { name } = definition;
  const tool = defineTool<Input, Output>({ ...rest, longRunning: true, run: neverRun });
  if (typeof definition.start !== 'function') wrongDefinition(name, 'it has no start function');
  if (silenceS !== undefined && !isWhole(silenceS, 1, deadlineSMax)) {
    wrongDefinition(name, `silenceS must be a whole number of seconds, 1 to ${deadlineSMax}`);
  }
  if (checkAfterS !== undefined && !isWhole(checkAfterS, 1, deadlineSMax)) {
    wrongDefinition(name, `checkAfterS must be a whole number of seconds, 1 to ${deadlineSMax}`);
  }
  return {
    ...tool,
    external: true,
    source,
    ...(check && {
      checkMs: checkAfterS === undefined ? checkDefaultMs : checkAfterS * 1000,
      check: async (input, task, initial) => check(input as z.output<Input>, task, initial),
    }),
    silenceMs: silenceS === undefined ? undefined : silenceS * 1000,
    // The input was checked by checkInput, which both the door and the worker call first.
    run: async (input, task) => definition.start(input as z.output<Input>, withCallback(task)),
  };
}

function neverRun(): never {
  throw new Error('An external tool is started, not run.');
}

function withCallback(task: TaskContext): ExternalContext {
  const { callback } = task;
  if (!callback) throw new Error('Only a task has a callback.');
  return { ...task, callback };
}
