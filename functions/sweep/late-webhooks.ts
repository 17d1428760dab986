import { laterMessage } from '../core/delivery-message.ts';
import { sweepPage } from '../core/limits.ts';
import type { EndedTask } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { tellWebhooks } from '../tasks/tell-webhooks.ts';
import { countUntold, endTelling } from '../tasks/untold.ts';

export type LateNeeds = Pick<Ports, 'webhooks' | 'deliveries' | 'clock' | 'log'>;

/** An alarm listens for these words: infra/untold.ts. */
export const overdueFact = 'webhook overdue';

/** Send again what should long have been tried: its message is lost, or still waits for a slot. */
export async function resendOverdue(ports: LateNeeds): Promise<number> {
  const late = await ports.webhooks.takeOverdue(ports.clock.nowMs(), sweepPage);
  if (late.length === 0) return 0;
  await ports.deliveries.send(late.map((one) => laterMessage(one, one.attempts.length)));
  for (const { deliveryId, endpointId } of late)
    ports.log('warn', overdueFact, { deliveryId, endpointId });
  return late.length;
}

/** An end is told by whoever recorded it. One that left no delivery is told here, and an alarm can see it. */
export async function tellIfUntold(ports: LateNeeds, task: EndedTask): Promise<number> {
  const untold = await countUntold(ports, task);
  if (untold > 0) await tellWebhooks(ports, endTelling(task));
  return untold;
}
