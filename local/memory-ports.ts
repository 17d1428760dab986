import { cachedEndpoints } from '../functions/adapters/endpoint-cache.ts';
import { guardedFetch } from '../functions/adapters/guarded-fetch.ts';
import { memoryAuditStore } from '../functions/adapters/memory-audit-store.ts';
import { memoryCiStore } from '../functions/adapters/memory-ci-store.ts';
import { memoryQueue, type MemoryQueue } from '../functions/adapters/memory-queue.ts';
import { memorySessionStore } from '../functions/adapters/memory-session-store.ts';
import { memoryObjectStore, memoryUserStore } from '../functions/adapters/memory-stores.ts';
import { memorySweepMark, memoryTaskStore } from '../functions/adapters/memory-task-store.ts';
import { memoryWebhookStore } from '../functions/adapters/memory-webhook-store.ts';
import {
  newSessionId,
  newTaskIds,
  newToken,
  newWebhookSecret,
  processLiveText,
  processSignals,
} from '../functions/adapters/process.ts';
import { secretSealer } from '../functions/adapters/sealer.ts';
import { readSettings } from '../functions/adapters/settings.ts';
import type { DeliveryMessage } from '../functions/core/delivery-message.ts';
import { receivesMax } from '../functions/core/limits.ts';
import type { Model } from '../functions/core/model.ts';
import type { Ring } from '../functions/core/ring.ts';
import type { Tool } from '../functions/core/tool.ts';
import type { WorkMessage } from '../functions/core/work-message.ts';
import type {
  ObjectStore,
  Outbound,
  Ports,
  SessionStore,
  Settings,
  TaskStore,
} from '../functions/ports.ts';
import { virtualClock, type VirtualClock } from './virtual-clock.ts';

/** Every port, in memory. */
export type HousePorts = Omit<
  Ports,
  'clock' | 'work' | 'deadWork' | 'resumes' | 'deadResumes' | 'deliveries' | 'deadDeliveries'
> & {
  readonly clock: VirtualClock;
  readonly work: MemoryQueue<WorkMessage>;
  readonly deadWork: MemoryQueue<unknown>;
  readonly resumes: MemoryQueue<Ring>;
  readonly deadResumes: MemoryQueue<unknown>;
  readonly deliveries: MemoryQueue<DeliveryMessage>;
  readonly deadDeliveries: MemoryQueue<unknown>;
};

export interface PortOptions {
  readonly tools?: readonly Tool[];
  readonly model: Model;
  readonly clock?: VirtualClock;
  readonly startMs?: number;
  readonly settings?: Partial<Settings>;
  readonly github?: Ports['github'];
  /** Where webhooks go; without one nobody answers. */
  readonly outbound?: Outbound;
  /** Put a fault between the rules and a store. */
  readonly wrapTasks?: (tasks: TaskStore) => TaskStore;
  readonly wrapSessions?: (sessions: SessionStore) => SessionStore;
  readonly wrapObjects?: (objects: ObjectStore) => ObjectStore;
}

/** It guards what lives in this memory only. */
const secret = 'a secret of the memory house';
/** As a deployment has them that chose nothing but its address. */
const plainSettings = readSettings({ PUBLIC_URL: 'https://boomerang.example' });
/** Every name resolves, to an address that nothing is ever sent to. */
const guard = guardedFetch({ resolve: async () => [{ address: '93.184.215.14', family: 4 }] });
const nowhere: Outbound = {
  check: (url) => guard.check(url),
  post: async () => ({ kind: 'unanswered', error: 'unreachable' }),
};
const itself = <T>(port: T) => port;

export function memoryPorts(options: PortOptions, facts: string[]): HousePorts {
  const { tools = [], startMs = Date.UTC(2026, 0, 1), model } = options;
  const { wrapTasks = itself, wrapObjects = itself, wrapSessions = itself } = options;
  const clock = options.clock ?? virtualClock(startMs);
  const settings = { ...plainSettings, ...options.settings };
  const visibilityMs = settings.claimMs;
  const deadQueue = () => memoryQueue<unknown>({ clock, visibilityMs: 60 * 60_000 });
  const [deadWork, deadResumes, deadDeliveries] = [deadQueue(), deadQueue(), deadQueue()];
  return {
    tasks: wrapTasks(memoryTaskStore()),
    objects: wrapObjects(memoryObjectStore()),
    users: memoryUserStore(),
    ci: memoryCiStore(),
    github: options.github,
    sweepMark: memorySweepMark(),
    sessions: wrapSessions(memorySessionStore()),
    work: memoryQueue({ clock, visibilityMs, dead: { queue: deadWork, receivesMax } }),
    deadWork,
    resumes: memoryQueue({ clock, visibilityMs, dead: { queue: deadResumes, receivesMax } }),
    deadResumes,
    deliveries: memoryQueue({ clock, visibilityMs, dead: { queue: deadDeliveries, receivesMax } }),
    deadDeliveries,
    webhooks: cachedEndpoints(memoryWebhookStore(), clock),
    audit: memoryAuditStore(),
    outbound: options.outbound ?? nowhere,
    model: async () => model,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    clock,
    signals: processSignals(),
    live: processLiveText(),
    sealer: secretSealer(secret),
    newTaskId: newTaskIds(secret),
    newSessionId,
    newToken,
    newWebhookSecret,
    settings,
    log: (_level, fact) => void facts.push(fact),
  };
}
