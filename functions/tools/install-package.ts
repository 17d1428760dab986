import * as z from 'zod';
import type { Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { defineTool } from './define-tool.ts';

const stages = [
  { percent: 25, name: 'Resolved dependencies' },
  { percent: 50, name: 'Downloaded' },
  { percent: 75, name: 'Unpacked' },
  { percent: 100, name: 'Linked' },
] as const;

/** The progressive pattern: a few stages, each reported as it is reached, all of them in the result. */
export const installPackage = ({ clock }: Pick<Ports, 'clock'>): Tool =>
  defineTool({
    name: 'install_package',
    description: 'Install a package and report at 25, 50, 75 and 100 percent (a demonstration).',
    longRunning: true,
    idempotent: true,
    progressAt: [25, 50, 75],
    input: z.object({
      package: z.string().trim().min(1).max(200).describe('Name of the package'),
      duration_s: z.number().min(0).max(3600).default(8).describe('Seconds it takes in all'),
    }),
    output: z.object({
      status: z.literal('installed'),
      package: z.string(),
      stages: z.array(z.string()),
    }),
    async run({ package: name, duration_s: durationS }, task) {
      const reached = typeof task.state === 'number' ? task.state : 0;
      for (const [index, stage] of stages.entries()) {
        if (index < reached) continue;
        await clock.sleep((durationS * 1000) / stages.length, task.signal);
        task.signal.throwIfAborted();
        await task.checkpoint(index + 1);
        await task.progress(stage.percent, `${stage.name} ${name}`);
      }
      return { status: 'installed' as const, package: name, stages: stages.map((s) => s.name) };
    },
  });
