import { notify } from '../../functions/notify/notify.ts';
import type { Verdict } from '../../functions/ports.ts';
import { resume } from '../../functions/resume/resume.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { work } from '../../functions/worker/work.ts';
import { inHandsOf, portsOfRoom, ringInHandsOf, take } from './faulty-ports.ts';
import type { Life } from './life.ts';
import type { Letter, SimulatedQueue } from './queue.ts';
import { beginLife, functionMs, pause, saw, sweepEveryMs, type World } from './world.ts';

/** A room behind a queue: what it does with one letter in the hands of one life. */
interface Room {
  readonly name: string;
  readonly queue: SimulatedQueue;
  handle(life: Life, letter: Letter): Promise<void>;
}

export const keepWorker = (world: World) =>
  keepRoom(world, {
    name: 'worker',
    queue: world.work,
    handle: (life, letter) => handleWork(world, life, letter),
  });

export const keepResumer = (world: World) =>
  keepRoom(world, {
    name: 'resumer',
    queue: world.resumes,
    handle: (life, letter) => handleRing(world, life, letter),
  });

export const keepNotifier = (world: World) =>
  keepRoom(world, {
    name: 'notifier',
    queue: world.deliveries,
    handle: (life, letter) => handleDelivery(world, life, letter),
  });

/** A process that is started again whenever it dies. */
async function keepRoom(world: World, room: Room): Promise<void> {
  for (;;) {
    const process = beginLife(world, room.name);
    void poll(world, room, process);
    await process.died;
    await pause(world, world.chance.between(1_000, 10_000));
  }
}

async function poll(world: World, room: Room, process: Life): Promise<void> {
  for (;;) {
    const letters = await takeSome(world, room, process);
    for (const letter of letters) void handle(world, room, process, letter);
    if (letters.length === 0) await room.queue.whenVisible(process);
  }
}

async function takeSome(world: World, room: Room, process: Life): Promise<readonly Letter[]> {
  try {
    return await take(world, process, room.queue, world.chance.between(1, 3));
  } catch {
    await pause(world, 1_000);
    return takeSome(world, room, process);
  }
}

/** All of it within the life of one function. */
async function handle(world: World, room: Room, process: Life, letter: Letter): Promise<void> {
  const life = beginLife(world, 'handling', world.oneProcess ? process : undefined);
  const endOfFunction = world.scheduler.after(functionMs, () => {
    if (life.isAlive()) saw(world, 'function killed');
    life.kill();
  });
  await room.handle(life, letter);
  endOfFunction();
  // A function is frozen when it returns; in one process a tool that would not stop lives on.
  if (!world.oneProcess) life.kill();
}

async function handleWork(world: World, life: Life, letter: Letter): Promise<void> {
  const held = inHandsOf(world, life, world.work, letter);
  const ports = portsOfRoom(world, life, 'Worker');
  const tryRemove = () => held.remove().catch(() => undefined);
  if (world.mutant.removesFirst) await tryRemove();
  const verdict = await workOrKeep(() => work(ports, held, ports.clock.nowMs() + functionMs));
  if (verdict === 'done') await tryRemove();
}

async function handleRing(world: World, life: Life, letter: Letter): Promise<void> {
  const held = ringInHandsOf(world, life, world.resumes, letter);
  const ports = portsOfRoom(world, life, 'Resume');
  const verdict = await workOrKeep(() => resume(ports, held, ports.clock.nowMs() + functionMs));
  if (verdict === 'done') await held.remove().catch(() => undefined);
}

async function handleDelivery(world: World, life: Life, letter: Letter): Promise<void> {
  const held = ringInHandsOf(world, life, world.deliveries, letter);
  const verdict = await workOrKeep(() => notify(portsOfRoom(world, life, 'Notify'), held));
  if (verdict === 'done') await held.remove().catch(() => undefined);
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
    const report = await sweep(portsOfRoom(world, life, 'Sweep'));
    if (report.redriven > 0) saw(world, 'redriven');
    if (report.poison > 0) saw(world, 'poison found');
    if (report.expired > 0) saw(world, 'expired');
  } catch {
    saw(world, 'sweep failed');
  }
  endOfFunction();
  life.kill();
}
