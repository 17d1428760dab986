import { ok, refuse, type Result } from '../core/result.ts';
import { hasExpired, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { putUnsent, startOwnTask } from '../tasks/start-task.ts';
import type { FoundCall } from './find-call.ts';
import { startOfCall } from './start-call.ts';

export type CallNeeds = Pick<
  Ports,
  'sessions' | 'tasks' | 'objects' | 'tools' | 'clock' | 'newTaskId'
>;

/** The task of a call; none yet when the call waits for a slot. */
export async function taskOfCall(
  ports: CallNeeds,
  { session, call, isOpen }: FoundCall,
): Promise<Result<Task | undefined>> {
  const task = await ports.tasks.get({ owner: session.owner, taskId: call.taskId });
  const isGone = task ? hasExpired(task, ports.clock.nowMs()) : !isOpen;
  return isGone ? refuse({ reason: 'call_not_found' }) : ok(task);
}

/** Whether the caller does the work of this call itself. */
export const isOwnCall = ({ session, call }: FoundCall): boolean =>
  session.ownTools.some(({ name }) => name === call.tool);

/**
 * Put the task of a call that waits for a slot, so that it can end before it has begun. No message goes
 * out: whoever puts it ends it, and a tool of ours never runs; or dies, and it is sent when its turn comes.
 */
export async function putWaitingTask(ports: CallNeeds, found: FoundCall): Promise<Result<Task>> {
  const { session, call } = found;
  const freeAtMs = ports.clock.nowMs();
  const start = await startOfCall(ports, { session, turns: [], call, freeAtMs });
  return isOwnCall(found) ? startOwnTask(ports, start) : putUnsent(ports, start);
}
