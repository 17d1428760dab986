import { asciiJson } from '../../functions/core/ascii-json.ts';
import { taskIdFor, taskIdFrom } from '../../functions/core/task-id.ts';
import type { Ring } from '../../functions/core/ring.ts';
import { readWorkMessage, taskIdOf, type WorkMessage } from '../../functions/core/work-message.ts';
import type { Clock, Ports, Received, Signals } from '../../functions/ports.ts';
import { processSignals } from '../../functions/adapters/process.ts';
import { secretSealer } from '../../functions/adapters/sealer.ts';
import { readSettings } from '../../functions/adapters/settings.ts';
import { perform } from './effect.ts';
import { faultyCiStore } from './faulty-ci-store.ts';
import { faultySessionStore } from './faulty-session-store.ts';
import { faultyTaskStore } from './faulty-task-store.ts';
import { checkRemoval } from './invariants.ts';
import { recordOf } from './ledger.ts';
import type { Life } from './life.ts';
import type { Letter, SimulatedQueue } from './queue.ts';
import { simulatedModel } from './session-model.ts';
import { toolsFor } from './tools.ts';
import { webhookPortsFor, webhookScheduleMs } from './webhooks.ts';
import { claimMs, saw, type World } from './world.ts';

export type SimulatedPorts = Omit<Ports, 'users' | 'newSessionId'>;

const sealer = secretSealer('secret');
const settings = readSettings({ GRACE_MS: '0', PUBLIC_URL: 'https://boomerang.example' });

/** What a room on AWS needs a right for. */
const guarded = ['tasks', 'sessions', 'webhooks', 'audit', 'ci', 'sweepMark', 'objects'] as const;

export type RoomName = 'Worker' | 'Resume' | 'Notify' | 'Sweep';

/** The same ports, and every use of a store by this room is seen. */
export function portsOfRoom(world: World, life: Life, room: RoomName): SimulatedPorts {
  const ports = portsFor(world, life);
  const seen = guarded.map((name) => {
    const noticed = Object.entries(ports[name]).map(([method, act]: [string, unknown]) => [
      method,
      (...given: unknown[]): unknown => {
        saw(world, `${room} uses ${name}.${method}`);
        return (act as (...args: unknown[]) => unknown)(...given);
      },
    ]);
    return [name, Object.fromEntries(noticed)];
  });
  return { ...ports, ...Object.fromEntries(seen) };
}

/** The ports of one life: its own clock, and the shared world behind effects. */
export function portsFor(world: World, life: Life): SimulatedPorts {
  const clock = clockOf(world, life);
  return {
    tasks: faultyTaskStore(world, life),
    objects: {
      put: (key, text) => effect(world, life, 'put object', () => world.objects.put(key, text)),
      get: (key) => effect(world, life, 'get object', () => world.objects.get(key)),
    },
    work: { send: (messages, delayMs = 0) => send(world, life, messages, delayMs) },
    deadWork: {
      async receive(limit) {
        const letters = await take(world, life, world.dead, limit);
        return letters.map((letter) => inHandsOf(world, life, world.dead, letter));
      },
    },
    sessions: faultySessionStore(world, life),
    resumes: { send: (rings, delayMs = 0) => ring(world, life, rings, delayMs) },
    deadResumes: {
      async receive(limit) {
        const letters = await take(world, life, world.deadResumes, limit);
        return letters.map((letter) => ringInHandsOf(world, life, world.deadResumes, letter));
      },
    },
    ...webhookPortsFor(world, life),
    deadDeliveries: {
      async receive(limit) {
        const letters = await take(world, life, world.deadDeliveries, limit);
        return letters.map((letter) => ringInHandsOf(world, life, world.deadDeliveries, letter));
      },
    },
    model: async () => simulatedModel(world, life),
    live: { say: () => {}, hear: () => {} },
    ci: faultyCiStore(world, life),
    github: undefined,
    sealer,
    sweepMark: {
      read: () => effect(world, life, 'read mark', () => world.mark.read()),
      write: (atMs) => effect(world, life, 'write mark', () => world.mark.write(atMs)),
    },
    tools: toolsFor(world, life, clock),
    clock,
    signals: heard(life, world.oneProcess ? world.signals : processSignals()),
    newTaskId: (identity) =>
      identity ? taskIdFor('secret', identity) : taskIdFrom(Buffer.from(newBytes(world))),
    newToken: () => world.chance.token(),
    settings: { ...settings, claimMs, webhookScheduleMs },
    log: (_level, fact) => saw(world, fact),
  };
}

const newBytes = ({ chance }: World) => `${chance.token()}${chance.token()}${chance.token()}`;

const effect = <T>(world: World, life: Life, name: string, apply: () => Promise<T>) =>
  perform(world, life, { name, apply });

function clockOf({ scheduler }: World, life: Life): Clock {
  return {
    nowMs: () => scheduler.nowMs() + life.skewMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve();
        const end = () => {
          callOff();
          signal?.removeEventListener('abort', end);
          if (life.isAlive()) resolve();
        };
        const callOff = scheduler.after(ms, end);
        signal?.addEventListener('abort', end);
      }),
  };
}

function heard(life: Life, signals: Signals): Signals {
  return {
    raise(taskId) {
      life.told.add(taskId);
      signals.raise(taskId);
    },
    next: (taskId, signal) => signals.next(taskId, signal),
  };
}

function send(world: World, life: Life, messages: readonly WorkMessage[], delayMs: number) {
  const name = `send ${messages.map((message) => nameOf(message)).join(', ')}`;
  return effect(world, life, name, async () => {
    for (const message of messages) {
      if (world.mutant.drops?.(message)) continue;
      if (message.kind === 'poison') recordOf(world.ledger, message.taskId).poisonSent = true;
      world.work.put(asciiJson(message), delayMs);
      life.sent.add(nameOf(message));
    }
  });
}

export const nameOf = (message: WorkMessage) => `${message.kind} ${taskIdOf(message)}`;

export const take = (world: World, life: Life, queue: SimulatedQueue, limit: number) =>
  effect(world, life, 'receive', async () => queue.take(limit));

function ring(world: World, life: Life, rings: readonly Ring[], delayMs: number) {
  return effect(
    world,
    life,
    `ring ${rings.map(({ sessionId }) => sessionId).join(', ')}`,
    async () => {
      for (const one of rings) {
        if (world.mutant.dropsRing?.(one)) continue;
        world.resumes.put(asciiJson(one), delayMs);
      }
    },
  );
}

/** A ring in the hands of one life. */
export const ringInHandsOf = (
  world: World,
  life: Life,
  queue: SimulatedQueue,
  letter: Letter,
): Received => ({
  ...inHandsOf(world, life, queue, letter),
  remove: () => effect(world, life, `remove ${letter.messageId}`, async () => queue.remove(letter)),
});

/** A letter in the hands of one life. */
export function inHandsOf(
  world: World,
  life: Life,
  queue: SimulatedQueue,
  letter: Letter,
): Received {
  const { messageId, body, receives } = letter;
  return {
    messageId,
    body,
    receives,
    receiptHandle: `${messageId}.${receives}`,
    hide: (forMs) =>
      effect(world, life, `hide ${messageId}`, async () => queue.hide(letter, forMs)),
    remove: () =>
      effect(world, life, `remove ${messageId}`, async () => {
        const read = readWorkMessage(body);
        await checkRemoval(world, life, read.kind === 'ours' ? read.message : undefined);
        queue.remove(letter);
      }),
  };
}
