import type { AuditEntry } from '../core/audit.ts';
import type { Task } from '../core/task.ts';
import {
  deliveryOf,
  type DeliveryAttempt,
  type WebhookDelivery,
} from '../core/webhook-delivery.ts';
import type { Endpoint } from '../core/webhook.ts';
import type { Ports } from '../ports.ts';
import { endFact } from './webhook-body.ts';
import { isoTime } from './iso-time.ts';

/** An endpoint as the wire shows it: never its secret. */
export const viewEndpoint = ({
  endpointId,
  url,
  types,
  payload,
  createdAtMs,
  health,
}: Endpoint) => ({
  endpoint_id: endpointId,
  url,
  types: [...types],
  payload,
  status: health.state,
  created_at: isoTime(createdAtMs),
  ...(health.failingSinceMs === undefined
    ? {}
    : { failing_since: isoTime(health.failingSinceMs), failures: health.failures }),
});

export function viewDelivery(delivery: WebhookDelivery) {
  const { deliveryId, endpointId, type, data, status, attempts, dueMs, atMs } = delivery;
  return {
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    type,
    ...(typeof data.task_id === 'string' ? { task_id: data.task_id } : {}),
    ...(typeof data.session_id === 'string' ? { session_id: data.session_id } : {}),
    status,
    attempts: attempts.map(viewAttempt),
    created_at: isoTime(atMs),
    ...(status === 'pending' ? { next_attempt_at: isoTime(dueMs) } : {}),
  };
}

const viewAttempt = ({ atMs, status, error, ms }: DeliveryAttempt) => ({
  at: isoTime(atMs),
  ...(status === undefined ? {} : { status }),
  ...(error === undefined ? {} : { error }),
  ms,
});

/** What was told of a task's end. The ids derive from the task, so nothing needs to be searched. */
export async function deliveriesOf(
  { webhooks }: Pick<Ports, 'webhooks'>,
  task: Task,
): Promise<readonly WebhookDelivery[]> {
  if (!('endedAtMs' in task.state)) return [];
  const { owner, webhookId } = task;
  const [registered, former] = await Promise.all([
    webhooks.endpoints(owner),
    webhooks.formerEndpoints(owner),
  ]);
  const ids = [
    ...registered.map(({ endpointId }) => endpointId),
    ...former,
    ...(webhookId === undefined ? [] : [webhookId]),
  ];
  const fact = endFact(task);
  const found = await Promise.all(
    ids.map((endpointId) => webhooks.delivery(deliveryOf(fact, { owner, endpointId }))),
  );
  return found.filter((delivery) => delivery !== undefined);
}

export function viewAudit(entry: AuditEntry) {
  const at = isoTime(entry.atMs);
  switch (entry.kind) {
    case 'told':
      return {
        at,
        kind: entry.kind,
        outcome: entry.outcome,
        type: entry.type,
        delivery_id: entry.deliveryId,
        endpoint_id: entry.endpointId,
        attempts: entry.attempts,
        ...(entry.taskId === undefined ? {} : { task_id: entry.taskId }),
        ...(entry.sessionId === undefined ? {} : { session_id: entry.sessionId }),
      };
    case 'endpoint':
      return {
        at,
        kind: entry.kind,
        endpoint_id: entry.endpointId,
        state: entry.state,
        why: entry.why,
      };
    case 'refused':
      return {
        at,
        kind: entry.kind,
        what: entry.what,
        code: entry.code,
        ...(entry.taskId === undefined ? {} : { task_id: entry.taskId }),
        ...(entry.sessionId === undefined ? {} : { session_id: entry.sessionId }),
      };
    case 'notified':
    case 'late':
      return { at, kind: entry.kind, task_id: entry.taskId, outcome: entry.status };
    case 'ci':
      return {
        at,
        kind: entry.kind,
        what: entry.provider,
        outcome: entry.outcome,
        delivery_id: entry.deliveryId,
        ...(entry.taskId === undefined ? {} : { task_id: entry.taskId }),
      };
  }
}
