import type { Flaw } from './failure.ts';
import { jsonDepthMax } from './limits.ts';

/** Level by level and without recursion: it must survive what it is there to refuse. */
export function isTooDeep(value: unknown): boolean {
  let level = objectsIn([value]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > jsonDepthMax) return true;
    level = level.flatMap((outer) => objectsIn(Object.values(outer)));
  }
  return false;
}

const objectsIn = (values: readonly unknown[]) =>
  values.filter((value): value is object => typeof value === 'object' && value !== null);

export const tooDeep: Flaw = {
  path: '',
  message: `it is nested deeper than ${jsonDepthMax} levels`,
};
