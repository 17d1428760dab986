import { sweep } from '../../functions/sweep/sweep.ts';
import { work, type Verdict } from '../../functions/worker/work.ts';
import { inHandsOf, portsFor, take } from './faulty-ports.ts';
import type { Life } from './life.ts';
import type { Letter } from './queue.ts';
import { beginLife, functionMs, pause, saw, sweepEveryMs, type World } from './world.ts';

/** A worker process that is started again whenever it dies. */
export async function keepWorker(world: World): Promise<void> {
  for (;;) {
    const process = beginLife(world, 'worker');
    void poll(world, process);
    await process.died;
    await pause(world, world.chance.between(1_000, 10_000));
  }
}

async function poll(world: World, process: Life): Promise<void> {
  for (;;) {
    const letters = await takeSome(world, process);
    for (const letter of letters) void handle(world, process, letter);
    if (letters.length === 0) await world.work.whenVisible(process);
  }
}

async function takeSome(world: World, process: Life): Promise<readonly Letter[]> {
  try {
    return await take(world, process, world.work, world.chance.between(1, 3));
  } catch {
    await pause(world, 1_000);
    return takeSome(world, process);
  }
}

/** Receive, work, delete if done: all within the life of one function. */
async function handle(world: World, process: Life, letter: Letter): Promise<void> {
  const life = beginLife(world, 'handling', world.oneProcess ? process : undefined);
  const endOfFunction = world.scheduler.after(functionMs, () => {
    if (life.isAlive()) saw(world, 'function killed');
    life.kill();
  });
  const held = inHandsOf(world, life, world.work, letter);
  const ports = portsFor(world, life);
  const tryRemove = () => held.remove().catch(() => undefined);
  if (world.mutant.removesFirst) await tryRemove();
  const verdict = await workOrKeep(() => work(ports, held, ports.clock.nowMs() + functionMs));
  if (verdict === 'done') await tryRemove();
  endOfFunction();
  // A function is frozen when it returns; in one process a tool that would not stop lives on.
  if (!world.oneProcess) life.kill();
}

async function workOrKeep(act: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await act();
  } catch {
    return 'keep';
  }
}

/** The sweep: a new function every minute. */
export async function keepSweeping(world: World): Promise<void> {
  for (;;) {
    await pause(world, sweepEveryMs);
    const life = beginLife(world, 'sweep');
    void sweepOnce(world, life);
  }
}

async function sweepOnce(world: World, life: Life): Promise<void> {
  const endOfFunction = world.scheduler.after(sweepEveryMs, life.kill);
  try {
    const report = await sweep(portsFor(world, life));
    if (report.redriven > 0) saw(world, 'redriven');
    if (report.poison > 0) saw(world, 'poison found');
    if (report.expired > 0) saw(world, 'expired');
  } catch {
    saw(world, 'sweep failed');
  }
  endOfFunction();
  life.kill();
}
