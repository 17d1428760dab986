import type { Chance } from './chance.ts';

/** Virtual time: one step at a time, and all that follows from a step is over before the next. */
export interface Scheduler {
  nowMs(): number;
  /** Returns how to call it off. */
  after(delayMs: number, act: () => void): () => void;
  runUntil(atMs: number, isOver: () => boolean): Promise<void>;
}

interface Step {
  readonly atMs: number;
  /** Steps of one instant come in an order of chance. */
  readonly order: number;
  readonly act: () => void;
  off: boolean;
}

export function newScheduler(chance: Chance, startMs: number): Scheduler {
  const steps: Step[] = [];
  let nowMs = startMs;
  let taken = 0;
  const takeNext = (untilMs: number): Step | undefined => {
    const first = steps[0];
    return first && first.atMs <= untilMs ? pop(steps) : undefined;
  };
  return {
    nowMs: () => nowMs,
    after(delayMs, act) {
      const order = chance.between(0, 0xffffff);
      const step = { atMs: nowMs + Math.max(0, delayMs), order, act, off: false };
      push(steps, step);
      return () => {
        step.off = true;
      };
    },
    async runUntil(untilMs, isOver) {
      while (!isOver()) {
        const step = takeNext(untilMs);
        if (!step) {
          nowMs = untilMs;
          return;
        }
        if (step.off) continue;
        nowMs = step.atMs;
        step.act();
        await allFollowed();
        taken += 1;
        if (taken % stepsPerRound === 0) await roundOfLoop();
      }
    },
  };
}

/** A tick runs only when no microtask is left: then nothing more follows from the step. */
const allFollowed = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Only between rounds of its loop does the process look for rejections that nobody handled. */
const roundOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
const stepsPerRound = 10;

const isBefore = (a: Step, b: Step) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A binary heap: thousands of steps, and only the earliest matters. */
function push(heap: Step[], step: Step): void {
  let at = heap.length;
  heap.push(step);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || isBefore(parent, step)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = step;
}

function pop(heap: Step[]): Step | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const child = earlierChild(heap, at);
    const below = child === undefined ? undefined : heap[child];
    if (child === undefined || !below || isBefore(last, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return first;
}

function earlierChild(heap: readonly Step[], at: number): number | undefined {
  const left = heap[2 * at + 1];
  const right = heap[2 * at + 2];
  if (!left) return undefined;
  return right && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
}
