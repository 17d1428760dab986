import type { CallId } from '../core/ids.ts';
import { refuse, type Result } from '../core/result.ts';
import type { SessionKey } from '../core/session.ts';
import { keyOf, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { findCall } from './find-call.ts';
import { putWaitingTask, taskOfCall, type CallNeeds } from './task-of-call.ts';

type Needs = CallNeeds & Pick<Ports, 'work' | 'signals' | 'newToken'>;

/** Cancel a call of a session by cancelling its task; one that waits for a slot never begins. */
export async function cancelCall(
  ports: Needs,
  key: SessionKey,
  callId: CallId,
): Promise<Result<Task>> {
  const found = await findCall(ports, key, callId);
  if (!found.ok) return found;
  const known = await taskOfCall(ports, found.value);
  if (!known.ok) return known;
  if (!known.value) {
    const put = await putWaitingTask(ports, found.value);
    if (!put.ok) return put;
  }
  const { owner } = found.value.session;
  const cancelled = await cancelTask(ports, keyOf({ owner, taskId: found.value.call.taskId }));
  const isGone = !cancelled.ok && cancelled.failure.reason === 'task_not_found';
  return isGone ? refuse({ reason: 'call_not_found' }) : cancelled;
}
