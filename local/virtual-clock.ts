import { setImmediate as nextRound } from 'node:timers/promises';
import type { Clock } from '../functions/ports.ts';

export interface VirtualClock extends Clock {
  /** Let time pass: sleepers wake in order, and what each of them does is done before the next wakes. */
  advance(ms: number): Promise<void>;
  readonly sleeping: number;
  /** When the next sleeper wakes; never, if nobody sleeps. */
  readonly nextAtMs: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Every microtask runs before the next round of the event loop. */
const settleAll = () => nextRound();

/** Time as an argument: nothing passes unless someone says so. */
export function virtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();
  const next = () =>
    [...sleepers].reduce<Sleeper | undefined>((a, b) => (a && a.atMs <= b.atMs ? a : b), undefined);
  const nextBefore = (toMs: number) => {
    const sleeper = next();
    return sleeper && sleeper.atMs <= toMs ? sleeper : undefined;
  };
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
      for (let one = nextBefore(toMs); one; one = nextBefore(toMs)) {
        nowMs = one.atMs;
        one.wake();
        await settleAll();
      }
      nowMs = toMs;
      await settleAll();
    },
    get sleeping() {
      return sleepers.size;
    },
    get nextAtMs() {
      return next()?.atMs ?? Infinity;
    },
  };
}
