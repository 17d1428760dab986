import { isDeepStrictEqual } from 'node:util';
import { hasEnded, timeUpAtMs, type Task } from '../../functions/core/task.ts';
import type { Answer } from '../../functions/core/tool.ts';
import { taskKeyOf, type WorkMessage } from '../../functions/core/work-message.ts';
import { recordOf, type TaskRecord } from './ledger.ts';
import type { Life } from './life.ts';
import { checkSlots } from './session-invariants.ts';
import { endOf, saw, skewMsMax, violate, type World } from './world.ts';

/** One write to a task as seen from outside. */
export interface Change {
  readonly name: string;
  readonly before: Task | undefined;
  readonly after: Task;
  readonly applied: boolean;
  readonly fence?: number | undefined;
  readonly claimAtMs?: number | undefined;
}

/** What must hold after every write. */
export function checkChange(world: World, change: Change): void {
  const known = recordOf(world.ledger, change.after.taskId);
  if (!change.before) world.ledger.open += 1;
  checkEndedOnce(world, known, change);
  checkFence(world, known, change);
  checkProgress(world, known, change);
  checkSlots(world, change.after);
}

/** S1: a task ends once, then its status and result digest never change. */
function checkEndedOnce(world: World, known: TaskRecord, change: Change): void {
  const { name, before, after } = change;
  const end = endOf(after);
  if (known.end !== undefined && known.end !== end) {
    violate(world, 'S1', `${name}: ${after.taskId} ended as ${known.end}, now ${end}`);
  }
  if (end === undefined || known.end !== undefined) return;
  known.end = end;
  world.ledger.open -= 1;
  known.endedAtMs = world.scheduler.nowMs();
  saw(world, `ended: ${after.state.status === 'completed' ? 'completed' : end}`);
  checkReason(world, known, after, timeUpAtMs(before ?? after));
}

/** S5: a write with an old fence is refused, and a live claim is not taken. */
function checkFence(world: World, known: TaskRecord, change: Change): void {
  const { name, before, after, applied, fence, claimAtMs } = change;
  if (!applied) return;
  if (fence !== undefined && fence < known.fence) {
    violate(world, 'S5', `${name}: ${after.taskId} took fence ${fence}, it is ${known.fence}`);
  }
  if (claimAtMs !== undefined) {
    if ((before?.claim.untilMs ?? 0) > claimAtMs) {
      violate(world, 'S5', `${name}: ${after.taskId} was taken from a live claim`);
    }
    if (after.claim.fence !== known.fence + 1) {
      violate(world, 'S5', `${name}: ${after.taskId} was claimed without a new fence`);
    }
    if (known.fence > 0) saw(world, 'claimed again');
  }
  known.fence = Math.max(known.fence, after.claim.fence);
}

/** S5 for what lies beside the task: a checkpoint of a later claim is never overwritten. */
export function checkCheckpoint(world: World, taskId: string, fence: number): void {
  const known = recordOf(world.ledger, taskId);
  if (fence < known.checkpointFence) {
    violate(world, 'S5', `${taskId} kept a checkpoint of fence ${fence}`);
  }
  known.checkpointFence = Math.max(known.checkpointFence, fence);
}

/** S8: progress never goes down, and nothing follows the end. */
function checkProgress(world: World, known: TaskRecord, { name, before, after }: Change): void {
  const percent = after.progress?.percent ?? 0;
  if (percent < known.percent) {
    violate(world, 'S8', `${name}: ${after.taskId} fell from ${known.percent} to ${percent}`);
  }
  if (after.sequence < known.sequence) {
    violate(world, 'S8', `${name}: ${after.taskId} went back to event ${after.sequence}`);
  }
  if (before && hasEnded(before) && after !== before && !isLateResult(before, after)) {
    violate(world, 'S8', `${name}: ${after.taskId} changed after its end`);
  }
  known.percent = percent;
  known.sequence = after.sequence;
}

/** The one thing that may come after an end by time or cancel: its result, beside all that was. */
function isLateResult(before: Task, after: Task): boolean {
  const { late, ...rest } = after;
  const { late: earlier, ...was } = before;
  return earlier === undefined && late !== undefined && isDeepStrictEqual(rest, was);
}

/** Every end must have its reason: no timeout before the deadline, no result but the tool's. */
function checkReason(world: World, known: TaskRecord, task: Task, timeUpMs: number): void {
  const call = world.ledger.calls.get(task.argumentsDigest);
  const wrong = (why: string) => violate(world, 'S3', `${task.taskId} ${known.end}: ${why}`);
  const { state } = task;
  if (!call) return wrong('no client made this call');
  if (state.status === 'cancelled' && !known.cancelAsked) wrong('nobody cancelled');
  if (state.status === 'completed' && state.resultDigest !== call.resultDigest) {
    wrong('not the result of its tool');
  }
  if (state.status !== 'failed') return;
  const { code } = state.error;
  if (code === 'timed_out' && world.scheduler.nowMs() + 2 * skewMsMax < timeUpMs) {
    wrong('before its time was up');
  }
  if (code === 'poison' && !known.poisonSent) wrong('no message of it was poison');
  if (code === 'outcome_unknown' && call.idempotent) {
    violate(world, 'S6', `${task.taskId} is idempotent and ended as outcome unknown`);
  }
}

/** S6, and the promise that a start refused for its arguments never runs. */
export function checkRun(world: World, task: { taskId: string; digest: string }): void {
  const { taskId, digest } = task;
  const known = recordOf(world.ledger, taskId);
  const call = world.ledger.calls.get(digest);
  known.runs += 1;
  known.ran.add(digest);
  if (call && !call.idempotent && known.runs > 1) {
    violate(world, 'S6', `${taskId} is not idempotent and ran ${known.runs} times`);
  }
  if (known.ran.size > 1 || known.refused.has(digest)) {
    violate(world, 'refused start', `${taskId} ran with arguments that were refused`);
  }
}

/** S6: whatever is tried again is tried under the same key, so that it can be had only once. */
export function checkEffect(world: World, effect: string, idempotencyKey: string): void {
  const { effects } = world.ledger;
  const keys = effects.get(effect) ?? new Set();
  effects.set(effect, keys.add(idempotencyKey));
  if (keys.size > 1) violate(world, 'S6', `${effect} was had under ${keys.size} keys`);
}

/** A tool hears only what somebody said, and the same each time it begins again. */
export function checkHeard(world: World, taskId: string, key: string, answer: Answer): boolean {
  const { said, heard } = recordOf(world.ledger, taskId);
  const content = answer.action === 'accept' ? (answer.content as { ok: boolean }) : { ok: false };
  if (!said.has(`${key} ${content.ok}`)) {
    violate(world, 'answer', `${taskId} heard ${content.ok} to ${key}, which nobody said`);
  }
  if ((heard.get(key) ?? content.ok) !== content.ok) {
    violate(world, 'answer', `${taskId} heard another answer to ${key} than before`);
  }
  heard.set(key, content.ok);
  return content.ok;
}

/** The message is the outbox: it goes only when its end is told, or when another carries on. */
export async function checkRemoval(
  world: World,
  life: Life,
  message: WorkMessage | undefined,
): Promise<void> {
  if (!message) return violate(world, 'outbox', 'an unreadable message was deleted');
  const key = taskKeyOf(message);
  // A report is no outbox of its own: whatever it ends goes out by a message of that task.
  if (!key) return;
  if (life.sent.has(`${message.kind} ${key.taskId}`)) return;
  const task = await world.store.get(key);
  if (mayBeDropped(message, task, life)) return;
  if (task && hasEnded(task) && life.told.has(key.taskId)) return;
  violate(world, 'outbox', `${message.kind} ${key.taskId} was deleted before its end was told`);
}

function mayBeDropped(message: WorkMessage, task: Task | undefined, life: Life): boolean {
  if ((message.kind === 'run' || message.kind === 'answer') && task) {
    if (life.rested.has(task.taskId)) return true;
    if (life.sent.has(`run ${task.taskId}`)) return true;
  }
  if (message.kind === 'run') {
    if (task?.handedOff) return true;
    return task !== undefined && task.argumentsDigest !== message.start.arguments.digest;
  }
  if (!task || message.kind === 'check') return true;
  // By its own clock too early: the sweep looks at the same time to look again.
  return message.kind === 'expire' && timeUpAtMs(task) > life.bornAtMs;
}
