import { laterMessage, type DeliveryMessage } from '../core/delivery-message.ts';
import { delayMsMax } from '../core/limits.ts';
import type { WebhookDelivery } from '../core/webhook-delivery.ts';
import { isWell } from '../core/webhook-health.ts';
import { slotWaitMs, slotWaitMsMax, slotWaitWellMsMax } from '../core/webhook-limits.ts';
import type { Endpoint } from '../core/webhook.ts';
import { jittered } from '../core/webhook-schedule.ts';
import type { Verdict } from '../ports.ts';
import type { NotifyNeeds } from './needs.ts';

type Needs = Pick<NotifyNeeds, 'deliveries' | 'clock'>;

/** Waiting is not failing: it is sent again, so no receive is counted; a long wait is several hops. */
export async function sendLater(
  { deliveries, clock }: Needs,
  message: DeliveryMessage,
  dueMs: number,
): Promise<Verdict> {
  const waitMs = Math.max(0, dueMs - clock.nowMs());
  await deliveries.send([{ ...message, notBeforeMs: dueMs }], Math.min(waitMs, delayMsMax));
  return 'done';
}

/** The message of the next attempt. */
export const sendNext = (ports: Needs, delivery: WebhookDelivery): Promise<Verdict> =>
  sendLater(ports, laterMessage(delivery, delivery.attempts.length), delivery.dueMs);

/** Its receiver has as much to do as it may: asked again later, and rarer each time. */
export function waitForSlot(
  ports: Needs,
  message: DeliveryMessage,
  endpoint: Endpoint,
): Promise<Verdict> {
  const waits = (message.waits ?? 0) + 1;
  const mostMs = isWell(endpoint) ? slotWaitWellMsMax : slotWaitMsMax;
  const waitMs = Math.min(slotWaitMs * 2 ** waits, mostMs);
  const atMs = ports.clock.nowMs() + jittered(waitMs, message.deliveryId, waits);
  return sendLater(ports, { ...message, waits }, atMs);
}
