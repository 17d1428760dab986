import type { Task } from '../../functions/core/task.ts';
import type { WorkMessage } from '../../functions/core/work-message.ts';
import type { TaskStore } from '../../functions/ports.ts';

/** A planted bug: one remedy switched off. A simulation that cannot see it proves nothing. */
export interface Mutant {
  /** The invariant that must notice it. */
  readonly breaks?: string;
  readonly store?: (store: TaskStore) => TaskStore;
  readonly drops?: (message: WorkMessage) => boolean;
  readonly removesFirst?: boolean;
  readonly retriesAll?: boolean;
}

export const noMutant: Mutant = {};

export const mutants: Readonly<Record<string, Mutant>> = {
  'the fence is not checked': { breaks: 'S5', store: withoutFence },
  'a live claim is ignored': { breaks: 'S5', store: withoutLiveClaim },
  'the digest is not compared': { breaks: 'refused start', store: withoutDigest },
  'an old checkpoint is kept': { breaks: 'S5', store: withoutCheckpointFence },
  'a task may end twice': { breaks: 'S1', store: withSecondEnd },
  'messages are deleted first': { breaks: 'outbox', removesFirst: true },
  'the sweep never sends': { breaks: 'L1', drops: ({ kind }) => kind === 'expire' },
  'nothing goes round': { breaks: 'outbox', drops: ({ notBeforeMs }) => notBeforeMs !== undefined },
  'every tool is run again': { breaks: 'S6', retriesAll: true },
};

function withoutFence(store: TaskStore): TaskStore {
  const fenceNow = async (key: Parameters<TaskStore['get']>[0], fence: number) =>
    (await store.get(key))?.claim.fence ?? fence;
  return {
    ...store,
    renew: async (key, fence, untilMs) => store.renew(key, await fenceNow(key, fence), untilMs),
    record: async (key, writer, event) => {
      if (writer === 'anyone') return store.record(key, writer, event);
      return store.record(key, { fence: await fenceNow(key, writer.fence) }, event);
    },
    release: async (key, fence, release) => store.release(key, await fenceNow(key, fence), release),
  };
}

function withoutLiveClaim(store: TaskStore): TaskStore {
  const nowMs = Number.MAX_SAFE_INTEGER;
  return { ...store, claim: (request) => store.claim({ ...request, nowMs }) };
}

function withoutDigest(store: TaskStore): TaskStore {
  return {
    ...store,
    async claim(request) {
      const found = await store.get(request.start);
      if (!found) return store.claim(request);
      const args = { ...request.start.arguments, digest: found.argumentsDigest };
      return store.claim({ ...request, start: { ...request.start, arguments: args } });
    },
  };
}

function withoutCheckpointFence(store: TaskStore): TaskStore {
  const last = Number.MAX_SAFE_INTEGER;
  return { ...store, keepCheckpoint: (key, _fence, json) => store.keepCheckpoint(key, last, json) };
}

/** What comes last wins, as in a store that writes without a condition. */
function withSecondEnd(store: TaskStore): TaskStore {
  const later = new Map<string, Task>();
  return {
    ...store,
    get: async (key) => later.get(key.taskId) ?? store.get(key),
    async record(key, writer, event) {
      const recorded = await store.record(key, writer, event);
      const ended = recorded ? undefined : await store.get(key);
      if (event.kind !== 'cancelled' || ended?.state.status !== 'completed') return recorded;
      const cancelled: Task = { ...ended, state: { status: 'cancelled', endedAtMs: event.atMs } };
      later.set(key.taskId, cancelled);
      return cancelled;
    },
  };
}
