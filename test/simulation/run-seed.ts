import { isAtRest, checkAtRest } from './at-rest.ts';
import { keepAnswering } from './answerers.ts';
import { planCleanStarts, planStarts } from './calls.ts';
import { announceCalls, cancellingClient, startingClient } from './clients.ts';
import { beginElsewhere } from './elsewhere.ts';
import { noMutant, type Mutant } from './mutants.ts';
import { keepNotifier, keepResumer, keepSweeping, keepWorker } from './servers.ts';
import { beginSession } from './session-clients.ts';
import { planSession } from './session-plans.ts';
import { newWorld, violate, type Violation, type World } from './world.ts';

export interface SeedReport {
  readonly seed: number;
  readonly operations: number;
  readonly faults: World['faults'];
  readonly violations: readonly Violation[];
  readonly seen: ReadonlyMap<string, number>;
  readonly hash: string;
}

const minuteMs = 60_000;
const stormMs = 10 * minuteMs;
const calmMsMax = 90 * minuteMs;

/** Play one seed: a storm of faults, then calm until nothing is left to do. */
export async function runSeed(seed: number, mutant: Mutant = noMutant): Promise<SeedReport> {
  const world = newWorld(seed, mutant);
  const onUnhandled = (reason: unknown) => violate(world, 'unhandled rejection', String(reason));
  const { stackTraceLimit } = Error;
  // Every abort makes an error, and nobody reads where it came from: half the time goes into that.
  Error.stackTraceLimit = 0;
  process.on('unhandledRejection', onUnhandled);
  await play(world);
  process.off('unhandledRejection', onUnhandled);
  Error.stackTraceLimit = stackTraceLimit;
  const { operations, faults, violations, seen, trace } = world;
  return { seed, operations, faults, violations, seen, hash: trace.hash() };
}

async function play(world: World): Promise<void> {
  const { scheduler, violations } = world;
  const isBroken = () => violations.length > 0;
  beginServers(world);
  beginStorm(world);
  await scheduler.runUntil(scheduler.nowMs() + stormMs, isBroken);
  world.faultRate = 0;
  const calmFromMs = scheduler.nowMs();
  beginCalm(world);
  await scheduler.runUntil(calmFromMs + calmMsMax, () => isBroken() || isAtRest(world));
  // What is at rest stays at rest: three more sweeps change nothing.
  await scheduler.runUntil(scheduler.nowMs() + 3 * minuteMs, isBroken);
  await scheduler.runUntil(scheduler.nowMs() + minuteMs, () => isBroken() || isAtRest(world));
  if (!isBroken()) await checkAtRest(world, calmFromMs);
}

function beginServers(world: World): void {
  beginElsewhere(world);
  for (let worker = 0; worker < 3; worker += 1) void keepWorker(world);
  for (let resumer = 0; resumer < 2; resumer += 1) void keepResumer(world);
  void keepNotifier(world);
  void keepSweeping(world);
  void keepAnswering(world);
}

function beginStorm(world: World): void {
  const { chance } = world;
  const starts = planStarts(chance, stormMs / 2);
  announceCalls(world, starts);
  for (const planned of starts) void startingClient(world, planned);
  for (let cancels = chance.between(1, 3); cancels > 0; cancels -= 1) {
    void cancellingClient(world, chance.between(0, stormMs));
  }
  for (let count = chance.between(0, 2); count > 0; count -= 1) {
    const plan = planSession(chance, {
      name: `storm ${count}`,
      withinMs: stormMs / 2,
      clean: false,
    });
    void beginSession(world, plan);
  }
  if (chance.happens(0.2)) world.work.put('this is no message', 0);
  if (chance.happens(0.2)) world.resumes.put('{"v":99,"kind":"ring"}', 0);
  if (chance.happens(0.2)) world.work.put('{"v":99,"kind":"run"}', 0);
}

function beginCalm(world: World): void {
  const starts = planCleanStarts(world.chance);
  announceCalls(world, starts);
  for (const planned of starts) void startingClient(world, planned);
  const plan = planSession(world.chance, { name: 'calm', withinMs: 60_000, clean: true });
  void beginSession(world, plan);
}
