import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { codeOf, startProblem, tryFile } from './start-problem.ts';

/** Where the embedded engines keep everything. */
interface DataFolder {
  readonly path: string;
  readonly dynamo: string;
  readonly journal: string;
  readonly objects: string;
  readonly secretFile: string;
}

/**
 * Open the data folder, or say in one sentence why not. dynalite throws out of nowhere on a folder it
 * cannot use, so the folder is tried first with the same engine.
 */
export async function openDataFolder(name: string): Promise<DataFolder> {
  const path = resolve(name);
  const objects = join(path, 'objects');
  for (const one of [path, objects]) makeWritable(one);
  const folder = {
    path,
    dynamo: join(path, 'dynamo'),
    journal: join(path, 'queues.journal'),
    objects,
    secretFile: join(path, 'server.secret'),
  };
  await tryDatabase(folder);
  return folder;
}

function makeWritable(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw startProblem(
      `The data folder ${path} cannot be written (${codeOf(thrown)}): choose another with DATA_DIR.`,
    );
  }
}

/** One folder at a time: a recursive mkdir never returns where none can be made, as under /proc. */
function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST' || !statSync(path).isDirectory()) throw thrown;
  }
}

async function tryDatabase({ path, dynamo }: DataFolder): Promise<void> {
  const probe = new ClassicLevel(dynamo);
  try {
    await probe.open();
    await probe.close();
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    if (codeOf(cause) === 'LEVEL_LOCKED') {
      throw startProblem(
        `Another Boomerang uses the data folder ${path}: stop it, or choose another with DATA_DIR.`,
      );
    }
    const why = cause instanceof Error ? cause.message : String(thrown);
    throw startProblem(`The data folder ${path} is damaged (${why}): move it away or restore it.`);
  }
}

/** Made once, so that a call's id survives a restart. */
export function serverSecret({ secretFile }: DataFolder): string {
  const secret = tryFile(secretFile, () => {
    if (!existsSync(secretFile)) {
      writeFileSync(secretFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
    }
    return readFileSync(secretFile, 'utf8').trim();
  });
  if (secret.length < 32) throw startProblem(`${secretFile} is damaged: restore it or remove it.`);
  return secret;
}
