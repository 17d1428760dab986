import { ok, refuse, type Result } from '../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../core/task.ts';
import { workMessage } from '../core/work-message.ts';
import type { Ports } from '../ports.ts';
import { findTask } from './find-task.ts';

type Needs = Pick<Ports, 'tasks' | 'work' | 'clock' | 'signals' | 'newToken'>;

/**
 * Cancel an open task. Nobody records an end without a message that will tell it: so the message is
 * sent first, and only then is the end applied, for the answer's sake.
 */
export async function cancelTask(ports: Needs, key: TaskKey): Promise<Result<Task>> {
  const found = await findTask(ports, key);
  if (!found.ok) return found;
  if (hasEnded(found.value)) return refuseEnded(found.value);
  const token = ports.newToken();
  await ports.work.send([workMessage({ kind: 'cancel', ...key, token })]);
  const cancelled = await ports.tasks.record(key, 'anyone', {
    kind: 'cancelled',
    atMs: ports.clock.nowMs(),
    token,
  });
  if (cancelled) {
    ports.signals.raise(key.taskId);
    return ok(cancelled);
  }
  const now = await findTask(ports, key);
  return now.ok ? settledByNow(now.value, token) : now;
}

/** Our own message may have been faster than we were: then it is our cancel that ended the task. */
function settledByNow(task: Task, token: string): Result<Task> {
  return task.claim.token === token ? ok(task) : refuseEnded(task);
}

function refuseEnded(task: Task): Result<Task> {
  if (!hasEnded(task)) throw new Error('A cancel was refused although the task is open.');
  return refuse({ reason: 'task_ended', status: task.state.status });
}
