import { exportedNames } from './manners.ts';
import type { Source } from './source.ts';

/** Exports of the product whose name stands in no other file; a test counts as a use. */
export function unusedExports(house: readonly Source[]): string[] {
  const files = house.map((file) => ({ file, words: new Set(file.text.match(/[\w$]+/g)) }));
  const isUsed = (name: string, path: string) =>
    files.some(({ file, words }) => file.path !== path && words.has(name));
  return files
    .filter(({ file }) => /^(functions|infra|local|bench)\//.test(file.path))
    .flatMap(({ file }) =>
      exportedNames(file)
        .filter((name) => !isUsed(name, file.path))
        .map((name) => `${file.path} exports ${name} for nobody`),
    );
}
