import { claimTask, releaseClaim, renewClaim } from '../core/claim.ts';
import type { Owner } from '../core/ids.ts';
import { keepLate } from '../core/late-result.ts';
import type { StoredValue } from '../core/stored-value.ts';
import { recordEvent } from '../core/task-event.ts';
import { moveDue, newTask, type Task, type TaskKey } from '../core/task.ts';
import type { Page, PageRequest, SweepMark, TaskStore } from '../ports.ts';
import { memoryQuestions } from './memory-questions.ts';

/** The rules of core/ over a Map: what the DynamoDB store must do, without the network. */
export function memoryTaskStore(): TaskStore {
  const tasks = new Map<string, Task>();
  const given = new Map<string, StoredValue>();
  const { addPart, ...parts } = memoryParts();
  const { putQuestions, ...questions } = memoryQuestions();
  const change = (key: TaskKey, rule: (task: Task) => Task | undefined): Task | undefined => {
    const task = tasks.get(nameOf(key));
    const changed = task && rule(task);
    if (changed) tasks.set(nameOf(key), changed);
    return changed;
  };
  return {
    async create(start) {
      if (tasks.has(nameOf(start))) return false;
      tasks.set(nameOf(start), newTask(start));
      given.set(nameOf(start), start.arguments);
      return true;
    },
    async claim(request) {
      const claimed = claimTask(tasks.get(nameOf(request.start)), request);
      if (claimed) tasks.set(nameOf(claimed), claimed);
      if (claimed) given.set(nameOf(claimed), request.start.arguments);
      return claimed;
    },
    renew: async (key, fence, untilMs) => change(key, (task) => renewClaim(task, fence, untilMs)),
    release: async (key, fence, how) => change(key, (task) => releaseClaim(task, fence, how)),
    async record(key, writer, event) {
      const recorded = change(key, (task) => recordEvent(task, writer, event));
      if (recorded && event.kind === 'yielded') addPart(key, event.part);
      if (recorded && event.kind === 'asked') putQuestions(key, event.questions);
      return recorded;
    },
    get: async (key) => tasks.get(nameOf(key)),
    async result(task) {
      const found = tasks.get(nameOf(task))?.state;
      if (found?.status !== 'completed' || !found.result) throw new Error('No result is stored.');
      return found.result;
    },
    async arguments(task) {
      const found = given.get(nameOf(task));
      if (!found) throw new Error('There is no such task.');
      return found;
    },
    ...parts,
    ...questions,
    initial: async (task) => task.initial?.value,
    keepLate: async (key, value) => change(key, (task) => keepLate(task, value)),
    late: async (task) => task.late?.value,
    ...memoryCheckpoints(),
    async list(owner, { limit, after }) {
      const all = newestFirst(tasks, owner);
      const from = after ? all.findIndex(({ taskId }) => taskId === after.taskId) + 1 : 0;
      const items = all.slice(from, from + limit);
      const last = items.at(-1);
      return last && from + limit < all.length ? { items, last } : { items };
    },
    async due({ fromMs, toMs, ...page }) {
      const inWindow = [...tasks.values()].filter(({ dueMs }) => dueMs >= fromMs && dueMs <= toMs);
      return pageOf(inWindow, page);
    },
    moveDue: async (key, dueMs) => change(key, (task) => moveDue(task, dueMs)),
  };
}

/** Results before the last, in order. */
function memoryParts(): Pick<TaskStore, 'part' | 'hasPart'> & {
  readonly addPart: (key: TaskKey, part: StoredValue) => void;
} {
  const parts = new Map<string, readonly StoredValue[]>();
  const of = (key: TaskKey) => parts.get(nameOf(key)) ?? [];
  return {
    addPart: (key, part) => void parts.set(nameOf(key), [...of(key), part]),
    hasPart: async (task, digest) => of(task).some((part) => part.digest === digest),
    async part(task, number) {
      const found = of(task)[number - 1];
      if (!found) throw new Error(`The task has no result number ${number}.`);
      return found;
    },
  };
}

function memoryCheckpoints(): Pick<TaskStore, 'keepCheckpoint' | 'checkpoint'> {
  const checkpoints = new Map<string, { fence: number; json: string }>();
  return {
    async keepCheckpoint(key, fence, json) {
      const kept = checkpoints.get(nameOf(key));
      if (kept && kept.fence > fence) return false;
      checkpoints.set(nameOf(key), { fence, json });
      return true;
    },
    checkpoint: async (key) => checkpoints.get(nameOf(key))?.json,
  };
}

export function memorySweepMark(): SweepMark {
  let mark = 0;
  return {
    read: async () => mark,
    async write(sweptUntilMs) {
      mark = sweptUntilMs;
    },
  };
}

const nameOf = ({ owner, taskId }: TaskKey) => `${owner}#${taskId}`;

const newestFirst = (tasks: ReadonlyMap<string, Task>, owner: Owner) =>
  [...tasks.values()]
    .filter((task) => task.owner === owner)
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);

/** A cursor here is the number of items already seen. */
function pageOf<T>(all: readonly T[], { limit, cursor }: PageRequest): Page<T> {
  const from = cursor ? Number(cursor) : 0;
  const items = all.slice(from, from + limit);
  const next = from + items.length;
  return next < all.length ? { items, cursor: String(next) } : { items };
}
