import { hasEnded, newTask, type Task, type TaskStart } from './task.ts';

/** A worker asking for a task. Only the message that started it may bring it into being. */
export interface ClaimRequest {
  readonly start: TaskStart;
  readonly token: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/** How a claim ends while the task goes on. */
export interface Release {
  readonly why: 'failed' | 'paused';
  readonly atMs: number;
}

/**
 * Take a task for one worker. The queue delivers at least once and two workers may ask: the second is
 * refused while the first may still be alive. So is a message whose arguments are not the task's, and
 * every message once the work was handed off.
 */
export function claimTask(found: Task | undefined, request: ClaimRequest): Task | undefined {
  const task = found ?? newTask(request.start);
  if (task.state.status !== 'working' || task.handedOff) return undefined;
  if (task.argumentsDigest !== request.start.arguments.digest) return undefined;
  if (task.claim.untilMs > request.nowMs) return undefined;
  const { token, untilMs, nowMs } = request;
  return {
    ...task,
    updatedAtMs: nowMs,
    claim: { ...task.claim, fence: task.claim.fence + 1, untilMs, token },
  };
}

/** Why a claim was refused, told from a consistent read made after the refusal. */
export type ClaimRefusal = 'mine' | 'ended' | 'foreign' | 'handed off' | 'asking' | 'held';

export function explainRefusedClaim(found: Task | undefined, request: ClaimRequest): ClaimRefusal {
  if (!found) return 'held';
  if (found.argumentsDigest !== request.start.arguments.digest) return 'foreign';
  if (hasEnded(found)) return 'ended';
  if (found.handedOff) return 'handed off';
  if (found.state.status === 'input_required') return 'asking';
  return found.claim.token === request.token ? 'mine' : 'held';
}

export function renewClaim(task: Task, fence: number, untilMs: number): Task | undefined {
  if (!holds(task, fence)) return undefined;
  return { ...task, claim: { ...task.claim, untilMs } };
}

export function releaseClaim(task: Task, fence: number, release: Release): Task | undefined {
  if (!holds(task, fence)) return undefined;
  const { claim } = task;
  const failures = claim.failures + (release.why === 'failed' ? 1 : 0);
  const pauses = claim.pauses + (release.why === 'paused' ? 1 : 0);
  return {
    ...task,
    updatedAtMs: release.atMs,
    claim: { ...claim, untilMs: 0, failures, pauses },
  };
}

/** A write with an old fence is refused, and so is one after the end. */
export const holds = (task: Task, fence: number) =>
  !hasEnded(task) && task.claim.fence === fence && task.claim.untilMs > 0;
