import { workerDeath } from '../core/author-errors.ts';
import { delayMsMax, resultBytesMax } from '../core/limits.ts';
import { ok, type Result } from '../core/result.ts';
import { afterThrow, messageOf, type RetryRule } from '../core/retry.ts';
import type { EndEvent } from '../core/task-event.ts';
import { keyOf, type Task, type TaskError } from '../core/task.ts';
import { bytesOf } from '../core/text.ts';
import type { Tool } from '../core/tool.ts';
import { keepValue } from '../tasks/keep-value.ts';
import { resultFlaws } from '../tasks/run-quick.ts';
import { tellEnd } from '../tasks/tell-end.ts';
import { timedOut } from './end-task.ts';
import { isOpen, type Run, type RunNeeds } from './run-task.ts';
import type { Outcome } from './run-tool.ts';
import type { Verdict } from './work.ts';

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
      return complete(ports, now, outcome.value);
    case 'threw':
      return settleThrown(ports, now, outcome.thrown);
    case 'stopped':
      if (outcome.why === 'deadline') return fail(ports, now, timedOut);
      if (outcome.why === 'suspended') return goRound(ports, now, { why: 'paused', afterMs: 0 });
      return tellIfEnded(ports, now);
  }
}

export const fail = (ports: RunNeeds, now: Attempt, error: TaskError): Promise<Verdict> =>
  end(ports, now, { kind: 'failed', error, atMs: ports.clock.nowMs() });

async function settleThrown(ports: RunNeeds, now: Attempt, thrown: unknown): Promise<Verdict> {
  if (thrown === workerDeath) throw new Error('The worker died, as the demonstration asked.');
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

/** The checked result, or a sentence that says what is wrong with it. */
function checkResult(tool: Tool | undefined, value: unknown): { value: unknown } | string {
  try {
    const json = JSON.stringify(value) ?? 'null';
    const bytes = bytesOf(json);
    if (bytes > resultBytesMax) {
      return `The result has ${bytes} bytes; at most ${resultBytesMax} are kept.`;
    }
    const plain: unknown = JSON.parse(json);
    const checked: Result<unknown> = tool ? tool.checkResult(plain) : ok(plain);
    if (checked.ok) return { value: plain };
    return resultFlaws(checked.failure);
  } catch (thrown) {
    return `The result is not JSON: ${messageOf(thrown)}`;
  }
}

/** Told only when the end is recorded; the message outlives both. */
async function end(ports: RunNeeds, { task }: Attempt, event: EndEvent): Promise<Verdict> {
  const { fence } = task.claim;
  const ended = await ports.tasks.record(keyOf(task), { fence }, event);
  if (!ended) return tellIfEnded(ports, { task });
  await tellEnd(ports, ended);
  ports.log('info', 'task ended', { taskId: task.taskId, tool: task.tool, status: event.kind });
  return 'done';
}

/** Another wrote before us. If the task has ended, its end is told; if not, its message must stay. */
async function tellIfEnded(ports: RunNeeds, { task }: Pick<Attempt, 'task'>): Promise<Verdict> {
  const found = await ports.tasks.get(keyOf(task));
  if (!found || isOpen(found)) return 'keep';
  await tellEnd(ports, found);
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
  if (!released) return tellIfEnded(ports, { task });
  const message = { ...run.message, notBeforeMs: atMs + next.afterMs };
  await ports.work.send([message], Math.min(next.afterMs, delayMsMax));
  return 'done';
}
