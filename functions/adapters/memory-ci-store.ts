import type { TaskKey } from '../core/task.ts';
import type { CiStore } from '../ports.ts';

export function memoryCiStore(): CiStore {
  const bound = new Map<string, TaskKey>();
  const taken = new Map<string, string>();
  const marks = new Map<string, number>();
  return {
    async bind(name, { owner, taskId }) {
      const found = bound.get(name);
      if (!found) bound.set(name, { owner, taskId });
      return found ?? { owner, taskId };
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
