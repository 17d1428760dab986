import { endState, isSameEnd } from '../../functions/core/task-event.ts';
import { hasEnded, type Task } from '../../functions/core/task.ts';
import type { WorkMessage } from '../../functions/core/work-message.ts';
import type { Input, SessionKey } from '../../functions/core/session.ts';
import type { DeliveryMessage } from '../../functions/core/delivery-message.ts';
import type { Ring } from '../../functions/core/ring.ts';
import type { SessionStore, TaskStore } from '../../functions/ports.ts';

/** A planted bug: one remedy switched off. A simulation that cannot see it proves nothing. */
export interface Mutant {
  /** The invariant that must notice it; where chance decides which comes first, one of several. */
  readonly breaks?: string;
  /** Where to begin: the seeds before are known not to meet it, and playing them takes long. */
  readonly from?: number;
  readonly store?: (store: TaskStore) => TaskStore;
  readonly drops?: (message: WorkMessage) => boolean;
  readonly removesFirst?: boolean;
  readonly retriesAll?: boolean;
  readonly sessions?: (store: SessionStore) => SessionStore;
  readonly dropsRing?: (ring: Ring) => boolean;
  readonly dropsDelivery?: (message: DeliveryMessage) => boolean;
}

export const noMutant: Mutant = {};

export const mutants: Readonly<Record<string, Mutant>> = {
  'the fence is not checked': { from: 30, breaks: 'S5', store: withoutFence },
  'a live claim is ignored': { breaks: 'S5', store: withoutLiveClaim },
  'the digest is not compared': { breaks: 'refused start or S3', store: withoutDigest },
  'an old checkpoint is kept': { from: 128, breaks: 'S5', store: withoutCheckpointFence },
  'a task may end twice': { from: 78, breaks: 'S1', store: withSecondEnd },
  'a hand-off is forgotten': { breaks: 'outbox', store: withoutHandOff },
  'messages are deleted first': { breaks: 'outbox', removesFirst: true },
  'the sweep never sends': { breaks: 'L1', drops: ({ kind }) => kind === 'expire' },
  'nothing goes round': { breaks: 'outbox', drops: ({ notBeforeMs }) => notBeforeMs !== undefined },
  'every tool is run again': { breaks: 'S6', retriesAll: true },
  'an end does not ring': { breaks: 'L2', dropsRing: ({ taskIds }) => taskIds.length > 0 },
  'a ring that must wait is lost': {
    from: 64,
    breaks: 'L2 or L5 or L6',
    dropsRing: ({ notBeforeMs }) => notBeforeMs !== undefined,
  },
  'a number of an input is given twice': { from: 162, breaks: 'S7', sessions: withoutInputNumbers },
  'an input id is forgotten': {
    from: 127,
    breaks: 'S7',
    sessions: (store) => ({ ...store, namedInput: async () => undefined }),
  },
  'a number of a turn is given twice': { breaks: 'S9', sessions: withoutTurnNumbers },
  'an end is told to nobody': { breaks: 'L3', dropsDelivery: ({ start }) => start !== undefined },
  'a webhook is tried once': {
    breaks: 'L3',
    dropsDelivery: ({ start }) => start === undefined,
  },
  'a report that must wait is lost': { breaks: 'goodput', drops: secondReport() },
  'an answer wakes nobody': { breaks: 'goodput', drops: ({ kind }) => kind === 'answer' },
  'slots are not counted': { breaks: 'S10', sessions: withEndlessSlots },
};

/** The first time it comes from the door, and after that from whoever parks it. */
function secondReport(): (message: WorkMessage) => boolean {
  const seen = new Set<string>();
  return (message) => {
    if (message.kind !== 'ci') return false;
    const isSecond = seen.has(message.token);
    seen.add(message.token);
    return isSecond;
  };
}

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

/** The claim is let go of as if the run had only paused. */
function withoutHandOff(store: TaskStore): TaskStore {
  return {
    ...store,
    async record(key, writer, event) {
      if (event.kind !== 'handed_off' || writer === 'anyone') {
        return store.record(key, writer, event);
      }
      return store.release(key, writer.fence, { why: 'paused', atMs: event.atMs });
    },
  };
}

/** What comes last wins, as in a store that writes without a condition. */
function withSecondEnd(store: TaskStore): TaskStore {
  const later = new Map<string, Task>();
  return {
    ...store,
    get: async (key) => later.get(key.taskId) ?? store.get(key),
    async record(key, writer, event) {
      const recorded = await store.record(key, writer, event);
      const found = recorded ? undefined : await store.get(key);
      if (event.kind !== 'cancelled' && event.kind !== 'completed') return recorded;
      const state = endState(event);
      if (!found || !hasEnded(found) || isSameEnd(found.state, state)) return recorded;
      const ended: Task = { ...found, state };
      later.set(key.taskId, ended);
      return ended;
    },
  };
}

/** The last to speak overwrites whoever had the number. */
function withoutInputNumbers(store: SessionStore): SessionStore {
  const written = new Map<string, Input>();
  const last = async (key: SessionKey, limit: number) => {
    const inputs = await store.lastInputs(key, limit);
    return inputs.map((input) => written.get(`${key.sessionId} ${input.number}`) ?? input);
  };
  return {
    ...store,
    lastInputs: last,
    async putInput(key, input) {
      written.set(`${key.sessionId} ${input.number}`, input);
      await store.putInput(key, input);
      return true;
    },
  };
}

/** Whoever puts a turn believes that it is the first. */
function withoutTurnNumbers(store: SessionStore): SessionStore {
  return {
    ...store,
    async putTurn(key, turn) {
      await store.putTurn(key, turn);
      return true;
    },
  };
}

function withEndlessSlots(store: SessionStore): SessionStore {
  return {
    ...store,
    async get(key) {
      const session = await store.get(key);
      return session && { ...session, policy: { ...session.policy, slots: 99 } };
    },
  };
}
