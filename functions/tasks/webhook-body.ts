import { hasEnded, type EndedStatus, type Task } from '../core/task.ts';
import type { DeliveryStart, WebhookData, WebhookFact } from '../core/webhook-delivery.ts';
import type { WebhookType } from '../core/webhook.ts';
import { isoTime } from './iso-time.ts';

/** The body of Standard Webhooks. It derives from stored facts alone: every attempt sends the same bytes. */
export function webhookBody(
  { type, atMs, data }: Pick<DeliveryStart, 'type' | 'atMs' | 'data'>,
  more: WebhookData = {},
): string {
  return JSON.stringify({ type, timestamp: isoTime(atMs), data: { ...data, ...more } });
}

const endTypes: Record<EndedStatus, WebhookType> = {
  completed: 'task.completed',
  failed: 'task.failed',
  cancelled: 'task.cancelled',
};

/** A task's end. Its result is one read away for whoever is told. */
export function endFact(task: Task): WebhookFact {
  const { state } = task;
  if (!hasEnded(task) || !('endedAtMs' in state)) throw new Error('Only an ended task is told.');
  return {
    owner: task.owner,
    type: endTypes[state.status],
    subject: task.taskId,
    atMs: state.endedAtMs,
    data: {
      ...taskData(task),
      ended_at: isoTime(state.endedAtMs),
      ...(state.status === 'failed' ? { error: state.error } : {}),
    },
  };
}

export const progressFact = (task: Task): WebhookFact => ({
  owner: task.owner,
  type: 'task.progressed',
  subject: `${task.taskId}#${task.sequence}`,
  atMs: task.updatedAtMs,
  data: { ...taskData(task), sequence: task.sequence, progress: task.progress },
});

function taskData({ taskId, tool, caller, state, createdAtMs }: Task): WebhookData {
  return {
    task_id: taskId,
    tool,
    status: state.status,
    ...(caller.callId === undefined ? {} : { call_id: caller.callId }),
    ...(caller.kind === 'session' ? { session_id: caller.sessionId } : {}),
    created_at: isoTime(createdAtMs),
  };
}
