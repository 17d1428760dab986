import { createHash } from 'node:crypto';
import * as z from 'zod';
import { readReport } from '../core/ci/read-report.ts';
import type { CiReport } from '../core/ci/report.ts';
import { responseTo } from '../core/ci/response.ts';
import type { Tool } from '../core/tool.ts';
import type { GitHub, Ports } from '../ports.ts';
import { external, type ExternalContext } from './define-external.ts';

/** A model chose it, and it goes into the inputs of a workflow: nothing that a shell would read otherwise. */
const plainWord = z
  .string()
  .trim()
  .regex(/^[\w.+:@/-]{1,100}$/, 'expected letters, digits and . _ + : @ / - only');

/**
 * A tool that ends from outside. Where GitHub is set it dispatches a workflow and waits for its webhook or
 * callback; without, it sets nothing off and waits for a callback all the same.
 */
export const deployToStaging = ({ github }: Pick<Ports, 'github'>): Tool =>
  external({
    name: 'deploy_to_staging',
    description: 'Deploy a version to an environment; answers with its address once it is live.',
    idempotent: true,
    input: z.object({
      version: plainWord.describe('What to deploy, such as v2.5.0'),
      environment: plainWord.default('staging').describe('Where to'),
    }),
    output: z.looseObject({
      status: z.string(),
      url: z.string(),
      duration: z.union([z.string(), z.number()]).optional(),
    }),
    source: github && { provider: 'github', repository: github.repository },
    async start(input, task) {
      if (github) await dispatch(github, input, task);
      const id = createHash('sha256').update(task.idempotencyKey).digest('hex').slice(0, 8);
      const where = github ? { repository: github.repository, workflow: github.workflow } : {};
      return { deployment_id: `deploy-${id}`, status: 'started', ...input, ...where };
    },
    check:
      github &&
      (async (_input, { correlationId, signal }) => {
        const report = await runOf(github, correlationId, signal);
        return report && responseTo(report);
      }),
  });

/** An attempt before this one may have dispatched and died: then its run is there, and is the one. */
async function dispatch(
  github: GitHub,
  input: { readonly version: string; readonly environment: string },
  { attempt, callback, signal }: ExternalContext,
): Promise<void> {
  const { correlationId, url } = callback;
  if (attempt > 1 && (await wasDispatched(github, correlationId, signal))) return;
  // No token among them: whoever may read the repository may read the inputs of its runs.
  await github.dispatch({ ...input, boomerang_id: correlationId, callback_url: url }, signal);
}

/** How long GitHub takes to list a run that it has begun, at the most. */
const listedMs = 8_000;
const lookEveryMs = 4_000;

/** GitHub may have taken a dispatch that it answered with an error, and shows its run only later. */
async function wasDispatched(
  github: GitHub,
  correlationId: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    if (await runOf(github, correlationId, signal)) return true;
    if (waitedMs >= listedMs) return false;
    await github.pause(lookEveryMs, signal);
  }
}

/** GitHub does not say which run a dispatch begins. Its workflow puts our id into the run's name. */
async function runOf(
  github: GitHub,
  correlationId: string,
  signal: AbortSignal,
): Promise<CiReport | undefined> {
  const repository = { full_name: github.repository };
  const runs = await github.runs(signal);
  return runs
    .map((workflow_run) => readReport('github', { repository, workflow_run }))
    .find((report) => report?.planted.includes(correlationId));
}
