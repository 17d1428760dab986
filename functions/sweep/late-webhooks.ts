import { laterMessage } from '../core/delivery-message.ts';
import { sweepPage } from '../core/limits.ts';
import type { EndedTask } from '../core/task.ts';
import { deliveryOf } from '../core/webhook-delivery.ts';
import { untoldMs } from '../core/webhook-limits.ts';
import type { Ports } from '../ports.ts';
import { listenersTo, tellWebhooks, type Telling } from '../tasks/tell-webhooks.ts';
import { endFact } from '../tasks/webhook-body.ts';

export type LateNeeds = Pick<Ports, 'webhooks' | 'deliveries' | 'clock' | 'log'>;

/** Send again what should long have been tried: its message is lost, or still waits for a slot. */
export async function resendOverdue(ports: LateNeeds): Promise<number> {
  const late = await ports.webhooks.takeOverdue(ports.clock.nowMs(), sweepPage);
  if (late.length === 0) return 0;
  await ports.deliveries.send(late.map((one) => laterMessage(one, one.attempts.length)));
  for (const { deliveryId, endpointId } of late)
    ports.log('warn', 'webhook overdue', { deliveryId, endpointId });
  return late.length;
}

/** An end is told by whoever recorded it. One that left no delivery is told here, and an alarm can see it. */
export async function tellUntold(ports: LateNeeds, ended: readonly EndedTask[]): Promise<number> {
  const counts = await Promise.all(ended.map((task) => tellIfUntold(ports, task)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function tellIfUntold(ports: LateNeeds, task: EndedTask): Promise<number> {
  const forMs = ports.clock.nowMs() - task.state.endedAtMs;
  // Whoever recorded the end may be about to tell it.
  if (forMs < untoldMs) return 0;
  const { webhookId, createdAtMs: heardSinceMs } = task;
  const telling: Telling = { fact: endFact(task), webhookId, heardSinceMs };
  const listeners = await listenersTo(ports, telling);
  const told = await Promise.all(
    listeners.map((key) => ports.webhooks.delivery(deliveryOf(telling.fact, key))),
  );
  const untold = told.filter((delivery) => delivery === undefined).length;
  if (untold === 0) return 0;
  ports.log('warn', 'ended but not told', {
    taskId: task.taskId,
    forS: Math.round(forMs / 1000),
    untold,
  });
  await tellWebhooks(ports, telling);
  return untold;
}
