import { memoryCiStore } from '../../functions/adapters/memory-ci-store.ts';
import { memoryObjectStore } from '../../functions/adapters/memory-stores.ts';
import { memorySessionStore } from '../../functions/adapters/memory-session-store.ts';
import { memorySweepMark, memoryTaskStore } from '../../functions/adapters/memory-task-store.ts';
import { processSignals } from '../../functions/adapters/process.ts';
import type { Task } from '../../functions/core/task.ts';
import type {
  CiStore,
  ObjectStore,
  SweepMark,
  Signals,
  TaskStore,
  SessionStore,
} from '../../functions/ports.ts';
import { chanceFrom, type Chance } from './chance.ts';
import type { Order } from './elsewhere.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { newLife, type Life } from './life.ts';
import type { Mutant } from './mutants.ts';
import { simulatedQueue, type SimulatedQueue } from './queue.ts';
import { newScheduler, type Scheduler } from './scheduler.ts';
import { newSessionLedger, type SessionLedger } from './session-ledger.ts';
import { newTrace, type Trace } from './trace.ts';
import { newWebhookWorld, type WebhookWorld } from './webhooks.ts';

export const claimMs = 120_000;
/** A function's timeout is shorter than the visibility of what it was given. */
export const functionMs = 240_000;
export const visibilityMs = 300_000;
export const sweepEveryMs = 60_000;
export const skewMsMax = 5_000;

export const faultKinds = [
  'crash before',
  'crash after',
  'lost reply',
  'late effect',
  'throttle',
  'sent twice',
  'duplicate',
  'delay',
  'reorder',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Violation {
  readonly seed: number;
  readonly invariant: string;
  readonly detail: string;
  readonly trace: readonly string[];
}

/** Everything there is while one seed is played. */
export interface World {
  readonly seed: number;
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly mutant: Mutant;
  readonly store: TaskStore;
  readonly objects: ObjectStore;
  readonly ciStore: CiStore;
  readonly mark: SweepMark;
  readonly work: SimulatedQueue;
  readonly dead: SimulatedQueue;
  readonly ledger: Ledger;
  readonly sessionStore: SessionStore;
  readonly resumes: SimulatedQueue;
  readonly deadResumes: SimulatedQueue;
  readonly sessions: SessionLedger;
  readonly webhooks: WebhookWorld;
  readonly deliveries: SimulatedQueue;
  readonly deadDeliveries: SimulatedQueue;
  readonly violations: Violation[];
  readonly faults: Record<FaultKind, number>;
  /** What was seen to happen at least once: guards against a simulation that proves nothing. */
  readonly seen: Map<string, number>;
  /** `npm start` is one process that hears itself; on AWS every function is its own. */
  readonly oneProcess: boolean;
  readonly signals: Signals;
  /** How an external tool reaches the system that does its work. */
  setOff: (order: Order) => void;
  /** Zero when faults are off. */
  faultRate: number;
  operations: number;
  lives: number;
  clientsBusy: number;
}

const startMs = 1_700_000_000_000;

export function newWorld(seed: number, mutant: Mutant): World {
  const chance = chanceFrom(seed);
  const scheduler = newScheduler(chance, startMs);
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as World['faults'];
  const state = {
    faultRate: chance.pick([0.5, 1, 1, 2, 4]),
    operations: 0,
    lives: 0,
    clientsBusy: 0,
    setOff: (_order: Order) => {},
  };
  const queues = newQueues(chance, scheduler, (kind) => {
    const happens = state.faultRate > 0 && chance.happens(mischiefShare[kind] * state.faultRate);
    if (happens) faults[kind] += 1;
    return happens;
  });
  const store = memoryTaskStore();
  const sessionStore = memorySessionStore();
  return Object.assign(state, {
    seed,
    chance,
    scheduler,
    mutant,
    faults,
    ...queues,
    trace: newTrace(() => scheduler.nowMs()),
    store: mutant.store?.(store) ?? store,
    objects: memoryObjectStore(),
    ciStore: memoryCiStore(),
    mark: memorySweepMark(),
    ledger: newLedger(),
    sessionStore: mutant.sessions?.(sessionStore) ?? sessionStore,
    sessions: newSessionLedger(),
    webhooks: newWebhookWorld(),
    violations: [],
    seen: new Map<string, number>(),
    oneProcess: chance.happens(0.5),
    signals: processSignals(),
  });
}

const mischiefShare = { duplicate: 0.1, delay: 0.03, reorder: 0.25 };

function newQueues(
  chance: Chance,
  scheduler: Scheduler,
  mischief: (kind: keyof typeof mischiefShare) => boolean,
) {
  const shared = { chance, scheduler, mischief, visibilityMs };
  const dead = simulatedQueue({ ...shared, name: 'dead' });
  const deadResumes = simulatedQueue({ ...shared, name: 'dead ring' });
  const deadDeliveries = simulatedQueue({ ...shared, name: 'dead webhook' });
  return {
    dead,
    deadResumes,
    deadDeliveries,
    work: simulatedQueue({ ...shared, name: 'work', dead }),
    resumes: simulatedQueue({ ...shared, name: 'ring', dead: deadResumes }),
    deliveries: simulatedQueue({ ...shared, name: 'webhook', dead: deadDeliveries }),
  };
}

/** A life with its own clock, which is wrong by up to five seconds. */
export function beginLife(world: World, name: string, process?: Life): Life {
  world.lives += 1;
  const skewMs = world.chance.between(-skewMsMax, skewMsMax);
  const nowMs = world.scheduler.nowMs();
  return newLife({ name: `${name}${world.lives}`, skewMs, nowMs, process });
}

export const pause = (world: World, ms: number) =>
  new Promise<void>((resolve) => void world.scheduler.after(ms, resolve));

export function saw(world: World, fact: string): void {
  world.seen.set(fact, (world.seen.get(fact) ?? 0) + 1);
}

export function violate(world: World, invariant: string, detail: string): void {
  const { seed, trace } = world;
  world.violations.push({ seed, invariant, detail, trace: [...trace.recent()] });
}

/** Two ends are the same when status, result and error are. */
export function endOf({ state }: Task): string | undefined {
  if (!('endedAtMs' in state)) return undefined;
  if (state.status === 'completed') return `completed ${state.resultDigest}`;
  return state.status === 'failed' ? `failed ${state.error.code}` : state.status;
}
