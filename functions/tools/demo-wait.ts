import * as z from 'zod';
import { FatalError, workerDeath } from '../core/author-errors.ts';
import { resultBytesMax } from '../core/limits.ts';
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
});

/** For trying and testing, on this machine only: waits, and ends in whatever way it is told to. */
export const demoWait = ({ clock }: Pick<Ports, 'clock'>): Tool =>
  defineTool({
    name: 'demo_wait',
    description: 'Wait for some seconds, then end as told (for trying Boomerang out).',
    longRunning: true,
    idempotent: (given) => given.idempotent,
    input,
    async run(given, task) {
      await waitInParts(clock, given, task);
      if (given.outcome === 'fatal') throw new FatalError('demo_wait was told to fail for good.');
      if (given.outcome === 'failed') throw new Error('demo_wait was told to fail.');
      if (given.outcome === 'crash_once' && task.attempt === 1) throw workerDeath;
      if (given.result_bytes !== undefined) return 'x'.repeat(Math.max(0, given.result_bytes - 2));
      return given.result === undefined ? { waited_s: given.seconds } : given.result;
    },
  });

async function waitInParts(
  clock: Ports['clock'],
  { seconds, progress }: z.output<typeof input>,
  task: TaskContext,
): Promise<void> {
  const parts = Math.max(1, progress);
  for (let part = 1; part <= parts; part += 1) {
    await clock.sleep((seconds * 1000) / parts, task.signal);
    task.signal.throwIfAborted();
    if (progress > 0) await task.progress((100 * part) / parts, `${part} of ${parts}`);
  }
}
