import * as z from 'zod';
import { FatalError, workerDeath } from '../core/author-errors.ts';
import { questionKeyMax, resultBytesMax, resultsPerCallMax } from '../core/limits.ts';
import type { TaskContext, Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { defineTool } from './define-tool.ts';

const input = z.strictObject({
  seconds: z.number().min(0).max(86_400).describe('How long to wait'),
  outcome: z.enum(['completed', 'failed', 'fatal', 'crash_once']).default('completed'),
  progress: z.int().min(0).max(1000).default(0).describe('How many times to report progress'),
  result: z.unknown().optional().describe('What to return'),
  result_bytes: z
    .int()
    .min(0)
    .max(2 * resultBytesMax)
    .optional(),
  idempotent: z.boolean().default(true),
  ask: z
    .strictObject({ key: z.string().min(1).max(questionKeyMax), message: z.string().min(1) })
    .optional()
    .describe('What to ask first; any value answers it'),
  results: z
    .int()
    .min(1)
    .max(resultsPerCallMax)
    .default(1)
    .describe('How many results to give, one after another'),
});
type Given = z.output<typeof input>;

/** For trying and testing, on this machine only: waits, and ends in whatever way it is told to. */
export const demoWait = ({ clock }: Pick<Ports, 'clock'>): Tool =>
  defineTool({
    name: 'demo_wait',
    description: 'Wait for some seconds, then end as told (for trying Boomerang out).',
    longRunning: true,
    idempotent: (given) => given.idempotent,
    results: (given) => given.results,
    input,
    async run(given, task) {
      const answer = given.ask && (await task.ask({ ...given.ask, schema: {} }));
      await waitAndReport(clock, given, task);
      if (given.outcome === 'fatal') throw new FatalError('demo_wait was told to fail for good.');
      if (given.outcome === 'failed') throw new Error('demo_wait was told to fail.');
      if (given.outcome === 'crash_once' && task.attempt === 1) throw workerDeath;
      if (given.result_bytes !== undefined) return 'x'.repeat(Math.max(0, given.result_bytes - 2));
      if (given.result !== undefined) return given.result;
      const said = answer?.action === 'accept' ? answer.content : answer;
      return { waited_s: given.seconds, ...(answer ? { answer: said } : {}) };
    },
  });

async function waitAndReport(
  clock: Ports['clock'],
  given: Given,
  task: TaskContext,
): Promise<void> {
  let waitedMs = 0;
  for (const { atMs, report } of [...reportsOf(given), { atMs: given.seconds * 1000 }]) {
    await clock.sleep(atMs - waitedMs, task.signal);
    task.signal.throwIfAborted();
    waitedMs = atMs;
    await report?.(task);
  }
}

interface Moment {
  readonly atMs: number;
  readonly report?: (task: TaskContext) => Promise<void>;
}

/** Progress and results, each spread evenly over the time. */
function reportsOf({ seconds, progress, results }: Given): readonly Moment[] {
  const spread = (
    count: number,
    of: number,
    report: (n: number, task: TaskContext) => Promise<void>,
  ) =>
    Array.from({ length: count }, (_, index) => ({
      atMs: Math.round((seconds * 1000 * (index + 1)) / of),
      report: (task: TaskContext) => report(index + 1, task),
    }));
  const steps = spread(progress, progress, (n, task) =>
    task.progress((100 * n) / progress, `${n} of ${progress}`),
  );
  const parts = spread(results - 1, results, (n, task) => task.result({ part: n, of: results }));
  return [...steps, ...parts].toSorted((a, b) => a.atMs - b.atMs);
}
