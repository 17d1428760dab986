import type * as z from 'zod';
import type { Callback, TaskContext, Tool } from '../core/tool.ts';
import { deadlineSMax, isWhole, wrongDefinition } from './check-definition.ts';
import { defineTool, type ToolDefinition } from './define-tool.ts';

/** A tool whose work is done elsewhere: it only sets it off, and the end comes to `task.callback`. */
export interface ExternalDefinition<
  Input extends z.ZodObject,
  Output extends z.ZodType,
> extends Omit<ToolDefinition<Input, Output>, 'run' | 'longRunning' | 'results'> {
  /** How long it may say nothing before it counts as dead; until its deadline unless said. */
  readonly silenceS?: number;
  /** What it returns is shown to whoever waits, until the result comes. */
  start(input: z.output<Input>, task: ExternalContext): unknown;
}

export type ExternalContext = Omit<TaskContext, 'result' | 'callback'> & {
  readonly callback: Callback;
};

/** Check a definition and make it a long-running tool that hands its work off. */
export function external<Input extends z.ZodObject, Output extends z.ZodType = z.ZodUnknown>(
  definition: ExternalDefinition<Input, Output>,
): Tool {
  const { start, silenceS, ...rest } = definition;
  const { name } = definition;
  const tool = defineTool<Input, Output>({ ...rest, longRunning: true, run: neverRun });
  if (typeof start !== 'function') wrongDefinition(name, 'it has no start function');
  if (silenceS !== undefined && !isWhole(silenceS, 1, deadlineSMax)) {
    wrongDefinition(name, `silenceS must be a whole number of seconds, 1 to ${deadlineSMax}`);
  }
  return {
    ...tool,
    external: true,
    silenceMs: silenceS === undefined ? undefined : silenceS * 1000,
    // The input was checked by checkInput, which both the door and the worker call first.
    run: async (input, task) => start(input as z.output<Input>, withCallback(task)),
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
