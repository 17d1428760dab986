import { tellingsMax } from './limits.ts';
import { hasEnded, type EndedTask, type Task } from './task.ts';
import type { OpenCall } from './turn.ts';

/** What a task has to say that no turn has consumed. */
export type TaskNews =
  | { readonly kind: 'end'; readonly call: OpenCall; readonly task: EndedTask }
  /** One of several results, counted from one. */
  | {
      readonly kind: 'partial';
      readonly call: OpenCall;
      readonly task: Task;
      readonly part: number;
    }
  | { readonly kind: 'progress'; readonly call: OpenCall; readonly task: Task }
  /** It waits for an answer, and no turn has told so. */
  | { readonly kind: 'question'; readonly call: OpenCall; readonly task: Task }
  /** The real result of a call that was closed by a timeout or a cancel. */
  | { readonly kind: 'correction'; readonly call: OpenCall; readonly task: EndedTask };

/**
 * News of an open call: results in order, then its end or, coalesced, how far it is and what it asks. The
 * real result of one that was cut short may have come before its end was told.
 */
export function newsOf(
  call: OpenCall,
  task: Task | undefined,
  thresholds: readonly number[],
): readonly TaskNews[] {
  if (!task) return [];
  const parts = Array.from({ length: Math.max(0, task.parts - call.received) }, (_, index) => ({
    kind: 'partial' as const,
    call,
    task,
    part: call.received + index + 1,
  }));
  if (hasEnded(task)) return [...parts, { kind: 'end', call, task }, ...correctionOf(call, task)];
  return [
    ...parts,
    ...(crossed(call, task, thresholds) ? [{ kind: 'progress' as const, call, task }] : []),
    ...(asksAnew(call, task) ? [{ kind: 'question' as const, call, task }] : []),
  ];
}

const asksAnew = ({ asked = 0 }: OpenCall, task: Task): boolean =>
  task.state.status === 'input_required' && task.asked > asked;

export function correctionOf(call: OpenCall, task: Task | undefined): readonly TaskNews[] {
  return task && hasEnded(task) && task.late ? [{ kind: 'correction', call, task }] : [];
}

/** Progress reaches the model only at the thresholds its tool declares, and only so often. */
function crossed(call: OpenCall, task: Task, thresholds: readonly number[]): boolean {
  const percent = task.progress?.percent ?? 0;
  if (call.tellings >= tellingsMax) return false;
  return thresholds.some((at) => at > call.toldPercent && at <= percent);
}

/** Calls that may run: the first few without an end, in call order. The rest wait, visibly. */
export function admitted(
  calls: readonly OpenCall[],
  tasks: ReadonlyMap<string, Task>,
  slots: number,
): readonly OpenCall[] {
  const unended = calls.filter(({ taskId }) => {
    const task = tasks.get(taskId);
    return !task || !hasEnded(task);
  });
  return unended.slice(0, slots);
}
