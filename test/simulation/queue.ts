import { receivesMax } from '../../functions/core/limits.ts';
import type { Chance } from './chance.ts';
import type { Life } from './life.ts';
import type { Scheduler } from './scheduler.ts';

export interface Letter {
  readonly messageId: string;
  readonly body: string;
  receives: number;
  visibleAtMs: number;
}

/** A standard queue: at least once, in no order, with visibility, delay and dead letters. */
export interface SimulatedQueue {
  put(body: string, delayMs: number): void;
  take(limit: number): readonly Letter[];
  hide(letter: Letter, forMs: number): void;
  remove(letter: Letter): void;
  isEmpty(): boolean;
  bodies(): readonly string[];
  /** Resolves for one waiting life when a letter can be taken. */
  whenVisible(life: Life): Promise<void>;
}

export interface QueueOptions {
  readonly name: string;
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly visibilityMs: number;
  /** Whether this mischief happens now; counts it if so. */
  readonly mischief: (kind: 'duplicate' | 'delay' | 'reorder') => boolean;
  readonly dead?: SimulatedQueue;
}

interface Waiter {
  readonly life: Life;
  readonly wake: () => void;
}

export function simulatedQueue(options: QueueOptions): SimulatedQueue {
  const { chance, scheduler, mischief } = options;
  const letters = new Set<Letter>();
  const waiters: Waiter[] = [];
  let sent = 0;
  const isVisible = (letter: Letter) => letter.visibleAtMs <= scheduler.nowMs();
  const wakeOne = () => {
    for (let next = waiters.shift(); next; next = waiters.shift()) {
      if (next.life.isAlive()) return next.wake();
    }
  };
  const showAfter = (letter: Letter, delayMs: number) => {
    letter.visibleAtMs = scheduler.nowMs() + delayMs;
    scheduler.after(delayMs, wakeOne);
  };
  const bury = (letter: Letter) => {
    letters.delete(letter);
    options.dead?.put(letter.body, 0);
  };
  const visible = (): Letter[] => {
    const found = [...letters].filter(isVisible);
    if (options.dead) for (const l of found) if (l.receives >= receivesMax) bury(l);
    const left = found.filter((letter) => letters.has(letter));
    return left.length > 1 && mischief('reorder') ? chance.shuffled(left) : left;
  };
  return {
    put(body, delayMs) {
      sent += 1;
      const messageId = `${options.name}-${sent}`;
      const letter = { messageId, body, receives: 0, visibleAtMs: 0 };
      letters.add(letter);
      const extraMs = mischief('delay') ? chance.between(1_000, 60_000) : 0;
      showAfter(letter, Math.ceil(delayMs / 1000) * 1000 + extraMs);
    },
    take(limit) {
      const taken = visible().slice(0, limit);
      for (const letter of taken) {
        letter.receives += 1;
        const again = mischief('duplicate');
        showAfter(letter, again ? chance.between(0, 5_000) : options.visibilityMs);
      }
      return taken;
    },
    hide: (letter, forMs) => showAfter(letter, forMs),
    remove: (letter) => void letters.delete(letter),
    isEmpty: () => letters.size === 0,
    bodies: () => [...letters].map(({ body }) => body),
    whenVisible: (life) =>
      new Promise((wake) => {
        if ([...letters].some(isVisible)) wake();
        else waiters.push({ life, wake });
      }),
  };
}
