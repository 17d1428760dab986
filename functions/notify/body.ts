import { asTaskId } from '../core/ids.ts';
import { fullResultBytesMax } from '../core/webhook-limits.ts';
import type { WebhookDelivery } from '../core/webhook-delivery.ts';
import type { Endpoint } from '../core/webhook.ts';
import { readValue } from '../tasks/keep-value.ts';
import { webhookBody } from '../tasks/webhook-body.ts';
import type { NotifyNeeds } from './needs.ts';

/** An end never changes, so its result may be read anew for each attempt and the bytes stay the same. */
export async function bodyFor(
  ports: Pick<NotifyNeeds, 'tasks' | 'objects'>,
  { payload }: Pick<Endpoint, 'payload'>,
  delivery: WebhookDelivery,
): Promise<string> {
  if (payload === 'thin' || delivery.type !== 'task.completed') return webhookBody(delivery);
  const { owner, data } = delivery;
  const task = await ports.tasks.get({ owner, taskId: asTaskId(String(data.task_id)) });
  if (task?.state.status !== 'completed') return webhookBody(delivery);
  const stored = await ports.tasks.result(task);
  if (stored.bytes > fullResultBytesMax) {
    return webhookBody(delivery, { result_bytes: stored.bytes, result_omitted: true });
  }
  return webhookBody(delivery, { result: await readValue(ports, stored) });
}
