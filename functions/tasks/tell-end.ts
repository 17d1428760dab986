import { hasEnded, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'signals'>;

/**
 * Tell whoever waits that a task has ended. Idempotent, because every message that finds an ended task
 * tells it again; only what a read or a write showed as ended may come here.
 */
export async function tellEnd(ports: Needs, task: Task): Promise<void> {
  if (!hasEnded(task)) throw new Error('Only an ended task is told.');
  ports.signals.raise(task.taskId);
}
