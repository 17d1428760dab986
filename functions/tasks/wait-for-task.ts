import type { Result } from '../core/result.ts';
import type { Task, TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { watchTask } from './watch-task.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

/** Read a task when it has ended, or as it is when the time is up. */
export const waitForTask = (ports: Needs, key: TaskKey, forMs: number): Promise<Result<Task>> =>
  watchTask(ports, key, { untilMs: ports.clock.nowMs() + forMs });
