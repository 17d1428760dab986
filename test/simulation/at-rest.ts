import { redrivesMax } from '../../functions/core/limits.ts';
import { asOwner } from '../../functions/core/ids.ts';
import type { Task } from '../../functions/core/task.ts';
import { readWorkMessage } from '../../functions/core/work-message.ts';
import { taskOfReport } from '../../functions/tasks/ci-binding.ts';
import { recordOf } from './ledger.ts';
import { checkSessionsAtRest } from './session-at-rest.ts';
import { checkWebhooksAtRest } from './webhooks.ts';
import { endOf, skewMsMax, sweepEveryMs, violate, visibilityMs, type World } from './world.ts';

/** Replies, and a second sweep when two clocks disagree about the first. */
const marginMs = sweepEveryMs + 2 * skewMsMax + 5_000;

/** Whether nothing is left to do: then time may stop. */
export function isAtRest(world: World): boolean {
  if (world.clientsBusy > 0 || !world.work.bodies().every(isParked)) return false;
  if (!world.resumes.isEmpty()) return false;
  if (world.ledger.open > 0 || !world.deliveries.isEmpty()) return false;
  return world.dead.bodies().every(isPoison);
}

const allOf = async (world: World): Promise<readonly Task[]> =>
  (await world.store.list(asOwner('ada'), { limit: 10_000 })).items;

/** Liveness, once faults have stopped. */
export async function checkAtRest(world: World, calmFromMs: number): Promise<void> {
  const tasks = await allOf(world);
  for (const task of tasks) checkEnded(world, task, calmFromMs);
  await checkWebhooksAtRest(world, tasks);
  for (const { taskId, accepted, end } of world.ledger.tasks.values()) {
    if (accepted && end === undefined) violate(world, 'L1', `${taskId} was accepted, never ended`);
  }
  await checkSessionsAtRest(world);
  await checkParked(world);
  const left =
    world.work.bodies().filter((body) => !isParked(body)).length +
    world.resumes.bodies().length +
    world.deliveries.bodies().length;
  if (left > 0) violate(world, 'L4', `${left} messages are left`);
  const letters = world.dead.bodies().filter((body) => !isPoison(body));
  if (letters.length > 0) violate(world, 'L4', `${letters.length} dead letters are not poison`);
}

/** L1: ended by its deadline plus one sweep; what a fault had hidden, once it was visible again. */
function checkEnded(world: World, task: Task, calmFromMs: number): void {
  const known = recordOf(world.ledger, task.taskId);
  if (known.end === undefined) return violate(world, 'L1', `${task.taskId} never ended`);
  const byMs = Math.max(task.deadlineMs, calmFromMs + visibilityMs) + sweepEveryMs + marginMs;
  if (known.endedAtMs > byMs) {
    violate(world, 'L1', `${task.taskId} ended ${known.endedAtMs - byMs} ms late`);
  }
  checkGoodput(world, task);
}

/** A call made in calm ends as it should, not by its deadline. */
function checkGoodput(world: World, task: Task): void {
  const call = world.ledger.calls.get(task.argumentsDigest);
  if (!call?.clean) return;
  const expected = call.expected === 'completed' ? `completed ${call.resultDigest}` : undefined;
  const end = endOf(task);
  if (end !== (expected ?? `failed ${call.expected}`)) {
    violate(world, 'goodput', `${call.tool} in calm should be ${call.expected}, is ${end}`);
  }
}

function isPoison(body: string): boolean {
  const read = readWorkMessage(body);
  return read.kind !== 'ours' || (read.message.redrives ?? 0) >= redrivesMax;
}

/** A report waits a day for a task to say that it is its own. */
const isParked = (body: string) => reportIn(body) !== undefined;

function reportIn(body: string) {
  const read = readWorkMessage(body);
  return read.kind === 'ours' && read.message.kind === 'ci' ? read.message.report : undefined;
}

/** L4: what is still parked belongs to nobody. */
async function checkParked(world: World): Promise<void> {
  for (const report of world.work.bodies().map(reportIn)) {
    const key = report && (await taskOfReport({ ci: world.ciStore }, report));
    if (key) violate(world, 'L4', `a report of ${key.taskId} is still parked`);
  }
}
