import { isTaskId } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { hasExpired, type Task, type TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'tasks' | 'clock'>;

export async function findTask(ports: Needs, key: TaskKey): Promise<Result<Task>> {
  if (!isTaskId(key.taskId)) return refuse({ reason: 'task_not_found' });
  const task = await ports.tasks.get(key);
  if (!task || hasExpired(task, ports.clock.nowMs())) return refuse({ reason: 'task_not_found' });
  return ok(task);
}
