import { asOwner } from '../../functions/core/ids.ts';
import { keyOf, type Task, type TaskKey } from '../../functions/core/task.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { startTask } from '../../functions/tasks/start-task.ts';
import { waitForTask } from '../../functions/tasks/wait-for-task.ts';
import { endResultOf } from './ci-system.ts';
import type { PlannedStart } from './calls.ts';
import { portsFor, type SimulatedPorts } from './faulty-ports.ts';
import { recordOf } from './ledger.ts';
import { digestOfValue, toolPlans } from './tools.ts';
import { beginLife, endOf, pause, saw, violate, type World } from './world.ts';

const owner = asOwner('ada');
const triesMax = 6;

/** Let every client know what its call must come to, before any of them makes it. */
export function announceCalls(world: World, starts: readonly PlannedStart[]): void {
  for (const { tool, input, clean } of starts) {
    const plan = toolPlans[tool];
    world.ledger.calls.set(digestOfValue(input), {
      tool,
      idempotent: plan.idempotent,
      resultDigest: digestOfValue(endResultOf(plan, input)),
      expected: plan.expected(input),
      clean,
    });
  }
}

/** Start one call, trying again while the answer does not come; then perhaps wait for its end. */
export async function startingClient(world: World, planned: PlannedStart): Promise<void> {
  world.clientsBusy += 1;
  await pause(world, planned.atMs);
  const life = beginLife(world, 'client');
  void life.died.then(() => (world.clientsBusy -= 1));
  const ports = portsFor(world, life);
  // Without an identity a second try would be another call.
  const tries = planned.identity === undefined ? 1 : triesMax;
  const task = await retrying(world, () => start(world, ports, planned), tries);
  if (task && world.chance.happens(0.3)) await retrying(world, () => read(world, ports, task));
  life.kill();
}

async function start(world: World, ports: SimulatedPorts, planned: PlannedStart) {
  const { tool, input, identity } = planned;
  const caller = { kind: 'client' } as const;
  const started = await startTask(ports, { owner, tool, arguments: input, identity, caller });
  const digest = digestOfValue(input);
  if (started.ok) {
    recordOf(world.ledger, started.value.taskId).accepted = true;
    await checkReadable(world, started.value, digest);
    return started.value;
  }
  saw(world, `refused: ${started.failure.reason}`);
  if (started.failure.reason !== 'idempotency_conflict' || identity === undefined) {
    violate(world, 'start', `${tool} was refused: ${started.failure.reason}`);
  } else {
    noteRefused(world, ports.newTaskId({ owner, tool, key: identity }), digest);
  }
  return undefined;
}

/** S13: a returned handle can be read at once. */
async function checkReadable(world: World, task: Task, digest: string): Promise<void> {
  const stored = await world.store.get(keyOf(task));
  if (stored?.argumentsDigest !== digest) {
    violate(world, 'S13', `${task.taskId} was returned and is not there`);
  }
}

function noteRefused(world: World, taskId: string, digest: string): void {
  const known = recordOf(world.ledger, taskId);
  known.refused.add(digest);
  if (known.ran.has(digest)) {
    violate(world, 'refused start', `${taskId} had run before it was refused`);
  }
}

/** S3 and S8 as a reader sees them: what is read is what is stored, and never goes back. */
async function read(world: World, ports: SimulatedPorts, key: TaskKey): Promise<void> {
  let percent = 0;
  for (let round = 0; round < 3; round += 1) {
    const found = await waitForTask(ports, keyOf(key), world.chance.between(0, 10_000));
    if (!found.ok) return violate(world, 'S13', `${key.taskId} was not found by its reader`);
    const task = found.value;
    const now = task.progress?.percent ?? 0;
    if (now < percent) violate(world, 'S8', `${key.taskId} fell for its reader`);
    percent = now;
    if (endOf(task) !== undefined) return checkRead(world, ports, task);
  }
}

async function checkRead(world: World, ports: SimulatedPorts, task: Task): Promise<void> {
  await checkAgrees(world, task);
  if (task.state.status !== 'completed') return;
  const value = await readValue(ports, await ports.tasks.result(task));
  if (digestOfValue(value) !== task.state.resultDigest) {
    violate(world, 'S3', `${task.taskId} reads a value that is not its result`);
  }
  saw(world, 'result read');
}

async function checkAgrees(world: World, task: Task): Promise<void> {
  const stored = await world.store.get(keyOf(task));
  if (!stored || endOf(stored) !== endOf(task)) {
    violate(world, 'S3', `${task.taskId} is read as ${endOf(task)}, stored otherwise`);
  }
}

/** Cancel some task that was accepted. */
export async function cancellingClient(world: World, atMs: number): Promise<void> {
  await pause(world, atMs);
  const accepted = [...world.ledger.tasks.values()].filter((known) => known.accepted);
  if (accepted.length === 0) return;
  const known = world.chance.pick(accepted);
  const task = (await world.store.list(owner, { limit: 1000 })).items.find(
    ({ taskId }) => taskId === known.taskId,
  );
  if (!task) return;
  known.cancelAsked = true;
  const life = beginLife(world, 'canceller');
  const ports = portsFor(world, life);
  await retrying(world, async () => {
    const cancelled = await cancelTask(ports, keyOf(task));
    saw(world, cancelled.ok ? 'cancel: done' : `cancel: ${cancelled.failure.reason}`);
    if (cancelled.ok) await checkAgrees(world, cancelled.value);
  });
  life.kill();
}

export async function retrying<T>(
  world: World,
  act: () => Promise<T>,
  tries = triesMax,
): Promise<T | undefined> {
  for (let made = 0; made < tries; made += 1) {
    try {
      return await act();
    } catch {
      await pause(world, world.chance.between(100, 5_000));
    }
  }
  return undefined;
}
