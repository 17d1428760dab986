import type { BoundTask } from '../core/ci/report.ts';
import type { CiStore } from '../ports.ts';

export function memoryCiStore(): CiStore {
  const bound = new Map<string, BoundTask>();
  const taken = new Map<string, string>();
  const marks = new Map<string, number>();
  return {
    async bind(name, { owner, taskId, source }) {
      const found = bound.get(name) ?? { owner, taskId, ...(source && { source }) };
      bound.set(name, found);
      return found;
    },
    find: async (name) => bound.get(name),
    async take(name, taker) {
      const found = taken.get(name);
      if (found === undefined) taken.set(name, taker);
      return found === undefined || found === taker;
    },
    async advance(name, to) {
      if ((marks.get(name) ?? to) > to) return false;
      marks.set(name, to);
      return true;
    },
  };
}
