import { build } from 'esbuild';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Programs that tests run in processes of their own are built once: read from TypeScript anew, each start
 * would take a second longer. `npm start` itself is tried as it is, in test/local/first-minute.
 */
const programs = [
  'local/main.ts',
  'local/engines-main.ts',
  'local/keys-main.ts',
  'local/chat/main.ts',
  'local/scenario/main.ts',
  'test/mcp/instances/main.ts',
];

declare module 'vitest' {
  interface ProvidedContext {
    builtPrograms: string;
  }
}

const root = join(import.meta.dirname, '..');
/** Within the project, so that packages are found from there. */
const outdir = join(root, 'node_modules/.cache/boomerang');

export default async function setup(project: TestProject): Promise<void> {
  await build({
    entryPoints: programs.map((file) => join(root, file)),
    outbase: root,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  project.provide('builtPrograms', outdir);
}

export const builtFile = (folder: string, file: string) =>
  join(folder, file.replace(/\.ts$/, '.mjs'));
