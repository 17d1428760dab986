import { workerDeath } from '../core/author-errors.ts';
import { faultOf } from '../core/fault.ts';
import { delayMsMax } from '../core/limits.ts';
import { isOutage } from '../core/outage.ts';
import { afterThrow, type RetryRule } from '../core/retry.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { EndEvent } from '../core/task-event.ts';
import { hasEnded, keyOf, type Task, type TaskError } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import type { Verdict } from '../ports.ts';
import { keepLateResult } from '../tasks/keep-late.ts';
import { keepValue } from '../tasks/keep-value.ts';
import { tellAsked } from '../tasks/tell-asked.ts';
import { tellEnd } from '../tasks/tell-end.ts';
import { checkResult } from './check-result.ts';
import { timedOut } from './end-task.ts';
import type { Run, RunNeeds } from './run-task.ts';
import type { Outcome, Stopped } from './run-tool.ts';

/** One claimed try at a task. */
export interface Attempt {
  readonly task: Task;
  readonly rule: RetryRule;
  readonly tool: Tool | undefined;
  readonly run: Run;
}

/** Record how an attempt ended: the task ends and is told, or the message goes round once more. */
export async function settle(ports: RunNeeds, now: Attempt, outcome: Outcome): Promise<Verdict> {
  switch (outcome.kind) {
    case 'returned':
      if (now.tool?.external) return handOff(ports, now, outcome.value);
      return complete(ports, now, outcome.value);
    case 'threw':
      return settleThrown(ports, now, outcome.thrown);
    case 'stopped':
      return settleStopped(ports, now, outcome);
  }
}

async function settleStopped(ports: RunNeeds, now: Attempt, outcome: Stopped): Promise<Verdict> {
  const { why, late } = outcome;
  if (why === 'asked') return rest(ports, now);
  if (why === 'suspended') return goRound(ports, now, { why: 'paused', afterMs: 0 });
  const timeIsUp = why === 'deadline';
  const verdict = timeIsUp ? await fail(ports, now, timedOut) : await tellIfEnded(ports, now.task);
  // What a start gives back is no result, so it cannot be a late one either.
  if (!late || now.tool?.external || verdict === 'keep') return verdict;
  const checked = checkResult(now.tool, late.value);
  if (typeof checked === 'string') return verdict;
  const result = await keepValue(ports, now.task.owner, checked.value);
  return tellIfEnded(ports, now.task, result);
}

/** It waits for an answer, which brings a message of its own: this one has done its part. */
async function rest(ports: RunNeeds, { task }: Pick<Attempt, 'task'>): Promise<Verdict> {
  await tellAsked(ports, task);
  ports.log('info', 'task asks', { taskId: task.taskId, tool: task.tool });
  return 'done';
}

export const fail = (ports: RunNeeds, now: Attempt, error: TaskError): Promise<Verdict> =>
  end(ports, now, { kind: 'failed', error, atMs: ports.clock.nowMs() });

async function settleThrown(ports: RunNeeds, now: Attempt, thrown: unknown): Promise<Verdict> {
  if (thrown === workerDeath) throw new Error('The worker died, as the demonstration asked.');
  if (isOutage(thrown)) {
    // The task will not say what it was.
    const { taskId, tool } = now.task;
    ports.log('error', 'tool met an outage', { taskId, tool, ...faultOf(thrown) });
  }
  const next = afterThrow(now.task, now.rule, thrown);
  return next.kind === 'fail' ? fail(ports, now, next.error) : goRound(ports, now, next);
}

async function complete(ports: RunNeeds, now: Attempt, value: unknown): Promise<Verdict> {
  const checked = checkResult(now.tool, value);
  if (typeof checked === 'string')
    return fail(ports, now, { code: 'tool_failed', message: checked });
  const result = await keepValue(ports, now.task.owner, checked.value);
  return end(ports, now, { kind: 'completed', result, atMs: ports.clock.nowMs() });
}

/** Told only when the end is recorded; the message outlives both. */
async function end(ports: RunNeeds, { task }: Attempt, event: EndEvent): Promise<Verdict> {
  const { fence } = task.claim;
  const ended = await ports.tasks.record(keyOf(task), { fence }, event);
  const late = event.kind === 'completed' ? event.result : undefined;
  if (!ended) return tellIfEnded(ports, task, late);
  await tellEnd(ports, ended);
  ports.log('info', 'task ended', { taskId: task.taskId, tool: task.tool, status: event.kind });
  return 'done';
}

/** Another wrote before us. If the task has ended, its end is told; if not, its message must stay. */
async function tellIfEnded(ports: RunNeeds, task: Task, late?: StoredValue): Promise<Verdict> {
  const found = await ports.tasks.get(keyOf(task));
  if (found?.state.status === 'input_required') return rest(ports, { task: found });
  if (!found || !hasEnded(found)) return 'keep';
  if (late) await keepLateResult(ports, found, late);
  await tellEnd(ports, found);
  return 'done';
}

/** What was started goes on elsewhere, and its end comes from there: this message has done its part. */
async function handOff(ports: RunNeeds, now: Attempt, value: unknown): Promise<Verdict> {
  const { task } = now;
  const checked = checkResult(undefined, value);
  if (typeof checked === 'string') {
    return fail(ports, now, { code: 'tool_failed', message: checked });
  }
  const given = value === undefined ? undefined : checked.value;
  const initial = given === undefined ? undefined : await keepValue(ports, task.owner, given);
  const handedOff = await ports.tasks.record(keyOf(task), task.claim, {
    kind: 'handed_off',
    initial,
    atMs: ports.clock.nowMs(),
  });
  // Its end may have been faster than this record.
  if (!handedOff) return tellIfEnded(ports, task);
  ports.log('info', 'task handed off', { taskId: task.taskId, tool: task.tool });
  return 'done';
}

/** Let go of the claim and send the message again; a crash between the two leaves the old message. */
async function goRound(
  ports: RunNeeds,
  { task, run }: Attempt,
  next: { readonly why: 'failed' | 'paused'; readonly afterMs: number },
): Promise<Verdict> {
  const atMs = ports.clock.nowMs();
  const released = await ports.tasks.release(keyOf(task), task.claim.fence, {
    why: next.why,
    atMs,
  });
  if (!released) return tellIfEnded(ports, task);
  const message = { ...run.message, notBeforeMs: atMs + next.afterMs };
  await ports.work.send([message], Math.min(next.afterMs, delayMsMax));
  return 'done';
}
