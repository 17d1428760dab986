import * as z from 'zod';
import type { Tool } from '../functions/core/tool.ts';
import { defineTool } from '../functions/tools/define-tool.ts';

interface LiveToolOptions {
  readonly result?: unknown;
  /** Percentages at which the model is told. */
  readonly progressAt?: readonly number[];
  /** Held back until this resolves, each report by its number. */
  readonly mayReport?: (number: number) => Promise<void>;
}

/** A long-running tool of a session: so many reports, then a small result. */
export function liveTool(reports: number, options: LiveToolOptions = {}): Tool {
  const { result = { status: 'completed', records: 12 }, progressAt, mayReport } = options;
  return defineTool({
    name: 'measured',
    description: 'Process the records of one day.',
    longRunning: true,
    idempotent: true,
    ...(progressAt ? { progressAt } : {}),
    input: z.object({}),
    async run(_input, task) {
      for (let n = 1; n <= reports; n += 1) {
        await mayReport?.(n);
        await task.progress((100 * n) / (reports + 1), `Processed part ${n} of ${reports}`);
      }
      return result;
    },
  });
}
