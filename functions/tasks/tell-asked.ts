import type { Task } from '../core/task.ts';
import { ringSession, type TellNeeds } from './tell-end.ts';

/** Tell whoever waits that a task asks; it is read from the task itself, so telling again does no harm. */
export async function tellAsked(ports: TellNeeds, task: Task): Promise<void> {
  ports.signals.raise(task.taskId);
  await ringSession(ports, task);
}
