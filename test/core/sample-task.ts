import { asOwner, asTaskId } from '../../functions/core/ids.ts';
import { newTask, type Claim, type Task, type TaskStart } from '../../functions/core/task.ts';

/** Plain data for tests of the rules. */
export const sampleStart: TaskStart = {
  owner: asOwner('alice'),
  taskId: asTaskId('task_1'),
  tool: 'slow',
  caller: { kind: 'client' },
  arguments: { at: 'near', digest: 'digest of the arguments', bytes: 2, json: '{}' },
  createdAtMs: 1000,
  deadlineMs: 60_000,
};

export const openTask: Task = newTask(sampleStart);

export const taskWith = (claim: Partial<Claim>, changes: Partial<Task> = {}): Task => ({
  ...openTask,
  claim: { ...openTask.claim, ...claim },
  ...changes,
});

const ended = { endedAtMs: 2000, by: 'worker' } as const;

export const endedTasks: readonly Task[] = [
  {
    ...openTask,
    state: { status: 'completed', ...ended, resultDigest: 'r', result: undefined },
  },
  {
    ...openTask,
    state: { status: 'failed', ...ended, error: { code: 'lost', message: 'gone' } },
  },
  { ...openTask, state: { status: 'cancelled', ...ended } },
];
