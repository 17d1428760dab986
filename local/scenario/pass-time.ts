import { sweep } from '../../functions/sweep/sweep.ts';
import type { MemoryHouse } from '../memory-house.ts';

/** As often as it is on AWS. */
const sweepEveryMs = 60_000;
/** Longer than any task lives: a scenario that is not quiet by then goes round in circles. */
const endMsMax = 40 * 86_400_000;

export interface Time {
  /** Let everything happen that happens until then. */
  passUntil(atMs: number): Promise<void>;
  /** Let time pass until nobody sleeps and no message waits. */
  passUntilQuiet(): Promise<void>;
}

/**
 * Time that jumps from one thing that happens to the next: a sleeper that wakes, a message that can be
 * received, a sweep. Whoever watches looks after each of them.
 */
export function timeIn(house: MemoryHouse, look: () => Promise<void>): Time {
  const { ports, clock } = house;
  const beganMs = clock.nowMs();
  let sweepMs = beganMs + sweepEveryMs;
  const nextMs = () =>
    Math.min(clock.nextAtMs, ports.work.nextAtMs, ports.resumes.nextAtMs, sweepMs);
  const settle = async () => {
    void house.pump();
    await clock.advance(0);
    await look();
  };
  const moveTo = async (atMs: number) => {
    await clock.advance(Math.max(0, atMs - clock.nowMs()));
    if (clock.nowMs() >= sweepMs) {
      await sweep(ports);
      sweepMs += sweepEveryMs;
    }
    await settle();
  };
  const isQuiet = () => clock.sleeping + ports.work.size + ports.resumes.size === 0;
  return {
    async passUntil(atMs) {
      await settle();
      while (nextMs() <= atMs) await moveTo(nextMs());
      await moveTo(atMs);
    },
    async passUntilQuiet() {
      await settle();
      while (!isQuiet() && clock.nowMs() < beganMs + endMsMax) await moveTo(nextMs());
    },
  };
}
