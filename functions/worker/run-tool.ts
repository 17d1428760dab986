import { functionMarginMs, stopGraceMs } from '../core/limits.ts';
import { keyOf, type Task } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import { isOpen, type Run, type RunNeeds } from './run-task.ts';
import { taskContext } from './task-context.ts';

/**
 * Why a run was told to stop: the task ended elsewhere, its time is up, its function is about to die, or
 * it has asked and waits for the answer.
 */
type StopReason = 'ended' | 'deadline' | 'suspended' | 'asked';

export type Outcome = { readonly kind: 'returned'; readonly value: unknown } | Threw | Stopped;

interface Threw {
  readonly kind: 'threw';
  readonly thrown: unknown;
}

export interface Stopped {
  readonly kind: 'stopped';
  readonly why: StopReason;
  /** What the tool still returned while it was given time to tidy up. */
  readonly late?: { readonly value: unknown };
}

export interface ToolRun {
  readonly task: Task;
  readonly input: unknown;
  readonly tool: Pick<Tool, 'run' | 'checkInput' | 'checkResult' | 'progressAt'>;
  readonly run: Run;
}

/** Run a tool while its claim is kept alive, until it settles or is told to stop. */
export async function runTool(ports: RunNeeds, toolRun: ToolRun): Promise<Outcome> {
  const stop = stopSwitch();
  const over = new AbortController();
  const watching = watch(ports, toolRun, stop, over.signal);
  try {
    const context = await taskContext(ports, toolRun, stop, over.signal);
    const settled = callTool(toolRun, context);
    const first = await Promise.race([settled, stop.stopped]);
    // Who has asked is waited for by nobody: its run is over.
    if (first.kind !== 'stopped' || first.why === 'asked') return first;
    // A tool that tidies up and returns in time has done its work; one that does not is left behind.
    const late = await Promise.race([settled, ports.clock.sleep(stopGraceMs, over.signal)]);
    if (late?.kind !== 'returned') return first;
    return first.why === 'suspended' ? late : { ...first, late: { value: late.value } };
  } finally {
    over.abort();
    await watching;
  }
}

export interface StopSwitch {
  readonly signal: AbortSignal;
  readonly stopped: Promise<Stopped | Threw>;
  stop(why: StopReason): void;
  /** As if the tool had thrown this. */
  fail(thrown: unknown): void;
}

function stopSwitch(): StopSwitch {
  const controller = new AbortController();
  let outcome: Stopped | Threw = { kind: 'stopped', why: 'ended' };
  const stopped = new Promise<Stopped | Threw>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(outcome));
  });
  const stopAs = (given: Stopped | Threw, reason: string) => {
    if (controller.signal.aborted) return;
    outcome = given;
    controller.abort(new Error(`This run must stop: ${reason}.`));
  };
  return {
    signal: controller.signal,
    stopped,
    stop: (why) => stopAs({ kind: 'stopped', why }, why),
    fail: (thrown) => stopAs({ kind: 'threw', thrown }, 'it could not ask'),
  };
}

async function callTool(toolRun: ToolRun, context: Parameters<Tool['run']>[1]): Promise<Outcome> {
  try {
    const input = toolRun.tool.checkInput(toolRun.input);
    if (!input.ok) throw new Error('The stored arguments no longer fit the tool.');
    return { kind: 'returned', value: await toolRun.tool.run(input.value, context) };
  } catch (thrown) {
    return { kind: 'threw', thrown };
  }
}

/** Four watchers beside the tool; each ends when the run is over. */
async function watch(ports: RunNeeds, toolRun: ToolRun, stop: StopSwitch, over: AbortSignal) {
  const stopAt = async (atMs: number, why: StopReason) => {
    await ports.clock.sleep(Math.max(0, atMs - ports.clock.nowMs()), over);
    if (!over.aborted) stop.stop(why);
  };
  await Promise.all([
    stopAt(toolRun.task.deadlineMs, 'deadline'),
    stopAt(toolRun.run.functionEndsAtMs - functionMarginMs, 'suspended'),
    renewWhileRunning(ports, toolRun, stop, over),
    stopWhenEnded(ports, toolRun, stop, over),
  ]);
}

/** Claim and message are renewed together at half time, so that neither runs out before the other. */
async function renewWhileRunning(
  ports: RunNeeds,
  { task, run }: ToolRun,
  stop: StopSwitch,
  over: AbortSignal,
) {
  const { claimMs } = ports.settings;
  for (;;) {
    await ports.clock.sleep(claimMs / 2, over);
    if (over.aborted) return;
    const untilMs = ports.clock.nowMs() + claimMs;
    try {
      const renewed = await ports.tasks.renew(keyOf(task), task.claim.fence, untilMs);
      if (!renewed) return stop.stop('ended');
      await run.delivery.hide(claimMs);
    } catch {
      // The claim still has half its time: the next round tries again.
      ports.log('warn', 'claim not renewed', { taskId: task.taskId });
    }
  }
}

/** A cancel in this process reaches the tool at once; one elsewhere when the claim is next renewed. */
async function stopWhenEnded(
  ports: RunNeeds,
  { task }: ToolRun,
  stop: StopSwitch,
  over: AbortSignal,
) {
  while (!over.aborted) {
    await ports.signals.next(task.taskId, over);
    if (over.aborted) return;
    try {
      if (!isOpen(await ports.tasks.get(keyOf(task)))) return stop.stop('ended');
    } catch {
      // The next renewal finds out; a tool's work is not thrown away for a read that failed.
      ports.log('warn', 'task not read', { taskId: task.taskId });
    }
  }
}
