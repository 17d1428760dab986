import { asOwner, asTaskId } from '../../functions/core/ids.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import type { Task, TaskErrorCode, TaskStart } from '../../functions/core/task.ts';
import type { SweepMark, TaskStore } from '../../functions/ports.ts';
import { near } from './session-samples.ts';

/** Opened before the first rule runs. */
export interface TaskStores {
  readonly tasks: TaskStore;
  readonly sweepMark: SweepMark;
}

let made = 0;
/** A start nobody has used yet. */
export function newStart(more: Partial<TaskStart> = {}): TaskStart {
  made += 1;
  return {
    owner: asOwner('alice'),
    taskId: asTaskId(`task_${String(made).padStart(32, '0')}`),
    tool: 'demo',
    caller: { kind: 'client' },
    arguments: near({ n: made }),
    createdAtMs: 1000 + made,
    deadlineMs: 1_000_000,
    ...more,
  };
}

export const request = (start: TaskStart, token: string, nowMs = 2000, untilMs = 5000) => ({
  start,
  token,
  nowMs,
  untilMs,
});
export const progressed = (task: Task, percent: number, atMs = 2500) =>
  progressOnto(task, { percent, message: `at ${percent}` }, { atMs, claimUntilMs: 6000 });
export const completed = (value: unknown) =>
  ({ kind: 'completed', result: near(value), atMs: 3000 }) as const;

export const failed = (code: TaskErrorCode) =>
  ({ kind: 'failed', atMs: 9, error: { code, message: 'no' } }) as const;

/** Claims a task for the first time. */
export const claimer =
  (store: TaskStores) =>
  async (start: TaskStart): Promise<Task> => {
    const task = await store.tasks.claim(request(start, 'first'));
    if (!task) throw new Error('the claim was refused');
    return task;
  };
