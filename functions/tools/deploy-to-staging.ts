import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Tool } from '../core/tool.ts';
import { external } from './define-external.ts';

/** A tool that ends by callback: a deployment runs elsewhere and reports when it is done. */
export const deployToStaging = (): Tool =>
  external({
    name: 'deploy_to_staging',
    description: 'Deploy a version to an environment; answers with its address once it is live.',
    idempotent: true,
    input: z.object({
      version: z.string().trim().min(1).max(100).describe('What to deploy, such as v2.5.0'),
      environment: z.string().trim().min(1).max(100).default('staging').describe('Where to'),
    }),
    output: z.looseObject({
      status: z.string(),
      url: z.string(),
      duration: z.union([z.string(), z.number()]).optional(),
    }),
    start({ version, environment }, task) {
      const id = createHash('sha256').update(task.idempotencyKey).digest('hex').slice(0, 8);
      return { deployment_id: `deploy-${id}`, status: 'started', version, environment };
    },
  });
