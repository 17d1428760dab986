import * as z from 'zod';
import type { Tool } from '../functions/core/tool.ts';
import { defineTool } from '../functions/tools/define-tool.ts';

/** A long-running tool of a session: so many reports, then a small result. */
export const liveTool = (
  reports: number,
  result: unknown = { status: 'completed', records: 12 },
): Tool =>
  defineTool({
    name: 'measured',
    description: 'Process the records of one day.',
    longRunning: true,
    idempotent: true,
    input: z.object({}),
    async run(_input, task) {
      for (let n = 1; n <= reports; n += 1) {
        await task.progress((100 * n) / (reports + 1), `Processed part ${n} of ${reports}`);
      }
      return result;
    },
  });
