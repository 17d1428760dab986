import { setImmediate as nextRound } from 'node:timers/promises';
import { memoryQueue, type MemoryQueue } from '../functions/adapters/memory-queue.ts';
import { memorySessionStore } from '../functions/adapters/memory-session-store.ts';
import { memoryObjectStore, memoryUserStore } from '../functions/adapters/memory-stores.ts';
import { memorySweepMark, memoryTaskStore } from '../functions/adapters/memory-task-store.ts';
import {
  newSessionId,
  newTaskIds,
  newToken,
  processLiveText,
  processSignals,
} from '../functions/adapters/process.ts';
import { secretSealer } from '../functions/adapters/sealer.ts';
import { readSettings } from '../functions/adapters/settings.ts';
import { asOwner } from '../functions/core/ids.ts';
import { receivesMax } from '../functions/core/limits.ts';
import type { Model } from '../functions/core/model.ts';
import type { Ring } from '../functions/core/ring.ts';
import { keyOf, type Task, type TaskKey } from '../functions/core/task.ts';
import type { Tool } from '../functions/core/tool.ts';
import type { WorkMessage } from '../functions/core/work-message.ts';
import type {
  Clock,
  ObjectStore,
  Ports,
  Received,
  SessionStore,
  Settings,
  TaskStore,
} from '../functions/ports.ts';
import { resume } from '../functions/resume/resume.ts';
import { startTask, type StartRequest } from '../functions/tasks/start-task.ts';
import { work, type Verdict } from '../functions/worker/work.ts';
import { testModel } from './test-model.ts';
import { testTool } from './test-tool.ts';

/** Every port, in memory. */
export type HousePorts = Omit<Ports, 'clock' | 'work' | 'deadWork' | 'resumes' | 'deadResumes'> & {
  readonly clock: VirtualClock;
  readonly work: MemoryQueue<WorkMessage>;
  readonly deadWork: MemoryQueue<unknown>;
  readonly resumes: MemoryQueue<Ring>;
  readonly deadResumes: MemoryQueue<unknown>;
};

export interface HouseOptions {
  readonly tools?: readonly Tool[];
  /** Says `ok` to everything unless a test has another. */
  readonly model?: Model;
  readonly startMs?: number;
  readonly settings?: Partial<Settings>;
  /** How long a function lives; shorter than the work asked of it in tests of suspension. */
  readonly functionMs?: number;
  /** Every message is handled, and then handled again, as a standard queue may do. */
  readonly deliverTwice?: boolean;
  /** Put a fault between the rules and a store. */
  readonly wrapTasks?: (tasks: TaskStore) => TaskStore;
  readonly wrapSessions?: (sessions: SessionStore) => SessionStore;
  readonly wrapObjects?: (objects: ObjectStore) => ObjectStore;
}

export interface MemoryHouse {
  readonly ports: HousePorts;
  readonly clock: VirtualClock;
  /** What the log was told, and what a worker or resumer threw, oldest first. */
  readonly facts: readonly string[];
  readonly thrown: readonly unknown[];
  /** What became of work messages, and of rings. */
  readonly verdicts: readonly Verdict[];
  readonly ringVerdicts: readonly Verdict[];
  /** Handle work and rings until none is visible. A tool that sleeps needs `clock.advance` meanwhile. */
  pump(): Promise<void>;
  /** Let time pass with worker and resumer at their queues: they look every second and wait for nobody. */
  runFor(ms: number): Promise<void>;
  start(request?: Partial<StartRequest>): Promise<Task>;
  task(key: TaskKey): Promise<Task>;
}

export const alice = asOwner('alice');
const functionDefaultMs = 15 * 60_000;
const receiveBatch = 10;

/** The whole house on memory ports: the real rules and rooms, and a clock that only a test moves. */
export function memoryHouse(options: HouseOptions = {}): MemoryHouse {
  const facts: string[] = [];
  const thrown: unknown[] = [];
  const verdicts: Verdict[] = [];
  const ringVerdicts: Verdict[] = [];
  const ports = memoryPorts(options, facts);
  const { clock } = ports;
  const room = (act: typeof work | typeof resume, told: Verdict[]) =>
    handlerOf(
      { act: (delivery, endsAtMs) => act(ports, delivery, endsAtMs), told, thrown },
      options,
      clock,
    );
  const handleWork = room(work, verdicts);
  const handleRing = room(resume, ringVerdicts);
  const pump = async () => {
    for (;;) {
      const [messages, rings] = await Promise.all([
        ports.work.receive(receiveBatch, 0),
        ports.resumes.receive(receiveBatch, 0),
      ]);
      if (messages.length + rings.length === 0) return;
      await Promise.all([...messages.map(handleWork), ...rings.map(handleRing)]);
    }
  };
  const task = async (key: TaskKey) => {
    const found = await ports.tasks.get(keyOf(key));
    if (!found) throw new Error(`There is no task ${key.taskId}.`);
    return found;
  };
  return {
    ports,
    clock,
    facts,
    thrown,
    verdicts,
    ringVerdicts,
    pump,
    task,
    async runFor(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
        void pump();
        await clock.advance(Math.min(1000, leftMs));
      }
      void pump();
      await clock.advance(0);
    },
    async start(request = {}) {
      const started = await startTask(ports, { ...plainStart, ...request });
      if (!started.ok) throw new Error(`The start was refused: ${started.failure.reason}.`);
      return started.value;
    },
  };
}

interface Room {
  readonly act: (delivery: Received, functionEndsAtMs: number) => Promise<Verdict>;
  readonly told: Verdict[];
  readonly thrown: unknown[];
}

/** As the handler of a function does: what throws or is kept stays in the queue. */
function handlerOf({ act, told, thrown }: Room, options: HouseOptions, clock: Clock) {
  const { deliverTwice = false, functionMs = functionDefaultMs } = options;
  const handle = async (delivery: Received) => {
    try {
      const verdict = await act(delivery, clock.nowMs() + functionMs);
      told.push(verdict);
      if (verdict === 'done') await delivery.remove();
    } catch (error) {
      thrown.push(error);
    }
  };
  return async (delivery: Received) => {
    await handle(delivery);
    if (deliverTwice) await handle(delivery);
  };
}

const plainStart: StartRequest = {
  owner: alice,
  tool: 'slow',
  arguments: {},
  caller: { kind: 'client' },
};

const secret = 'a secret of the tests';
/** As a deployment has them that chose nothing but its address. */
const plainSettings = readSettings({ PUBLIC_URL: 'https://boomerang.example' });
const itself = <T>(port: T) => port;

function memoryPorts(options: HouseOptions, facts: string[]): HousePorts {
  const { tools = [testTool()], startMs = Date.UTC(2026, 0, 1) } = options;
  const { model = testModel(), wrapTasks = itself, wrapObjects = itself } = options;
  const { wrapSessions = itself } = options;
  const clock = virtualClock(startMs);
  const settings = { ...plainSettings, ...options.settings };
  const visibilityMs = settings.claimMs;
  const deadQueue = () => memoryQueue<unknown>({ clock, visibilityMs: 60 * 60_000 });
  const [deadWork, deadResumes] = [deadQueue(), deadQueue()];
  return {
    tasks: wrapTasks(memoryTaskStore()),
    objects: wrapObjects(memoryObjectStore()),
    users: memoryUserStore(),
    sweepMark: memorySweepMark(),
    sessions: wrapSessions(memorySessionStore()),
    work: memoryQueue({ clock, visibilityMs, dead: { queue: deadWork, receivesMax } }),
    deadWork,
    resumes: memoryQueue({ clock, visibilityMs, dead: { queue: deadResumes, receivesMax } }),
    deadResumes,
    model: async () => model,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    clock,
    signals: processSignals(),
    live: processLiveText(),
    sealer: secretSealer(secret),
    newTaskId: newTaskIds(secret),
    newSessionId,
    newToken,
    settings,
    log: (_level, fact) => void facts.push(fact),
  };
}

export interface VirtualClock extends Clock {
  /** Let time pass: sleepers wake in order, and what each of them does is done before the next wakes. */
  advance(ms: number): Promise<void>;
  readonly sleeping: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Every microtask runs before the next round of the event loop. */
const settleAll = () => nextRound();

/** Time as an argument: nothing passes unless a test says so. */
export function virtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();
  const nextBefore = (toMs: number) =>
    [...sleepers]
      .filter(({ atMs }) => atMs <= toMs)
      .reduce<Sleeper | undefined>((a, b) => (a && a.atMs <= b.atMs ? a : b), undefined);
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
      }),
    async advance(ms) {
      const toMs = nowMs + ms;
      await settleAll();
      for (let next = nextBefore(toMs); next; next = nextBefore(toMs)) {
        nowMs = next.atMs;
        next.wake();
        await settleAll();
      }
      nowMs = toMs;
      await settleAll();
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}
