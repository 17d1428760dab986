import type { Result } from '../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { watchTask } from './watch-task.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

/** Read a task when it has ended or asks, or as it is when the time is up. */
export const waitForTask = (ports: Needs, key: TaskKey, forMs: number): Promise<Result<Task>> =>
  watchTask(ports, key, {
    untilMs: ports.clock.nowMs() + forMs,
    // Nothing happens until someone answers, and that is whoever waits here.
    isOver: (task) => hasEnded(task) || task.state.status === 'input_required',
  });
