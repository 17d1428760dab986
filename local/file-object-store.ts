import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../functions/ports.ts';

/** Far values as files. A key is owner/digest, both made of letters that are safe in a path. */
export function fileObjectStore(folder: string): ObjectStore {
  return {
    async put(key, text) {
      const path = join(folder, key);
      await mkdir(dirname(path), { recursive: true });
      // Written aside and renamed, so that a kill never leaves half a value under its digest.
      const aside = `${path}.${randomUUID()}`;
      await writeFile(aside, text, { mode: 0o600 });
      await rename(aside, path);
    },
    get: (key) => readFile(join(folder, key), 'utf8'),
  };
}
