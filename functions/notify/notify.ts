import { readDeliveryMessage } from '../core/delivery-message.ts';
import { webhookClaimMs } from '../core/webhook-limits.ts';
import { endpointKeyOf } from '../core/webhook.ts';
import type { Delivery } from '../ports.ts';
import { attemptDelivery } from './attempt.ts';
import { claimFor, giveUpOrphan } from './claim-delivery.ts';
import type { NotifyNeeds, Verdict } from './needs.ts';
import { sendLater, waitForSlot } from './send-later.ts';

/**
 * Make one attempt of one delivery. The message is deleted only when the attempt is recorded and the
 * next one, if there is one, has its message.
 */
export async function notify(ports: NotifyNeeds, delivery: Delivery): Promise<Verdict> {
  const read = readDeliveryMessage(delivery.body);
  if (read.kind !== 'ours') {
    ports.log('warn', 'message left in the queue', { why: read.kind });
    return 'keep';
  }
  const { message } = read;
  const nowMs = ports.clock.nowMs();
  const firstDueMs = message.start
    ? message.start.atMs + (ports.settings.webhookScheduleMs[0] ?? 0)
    : 0;
  const dueMs = message.notBeforeMs ?? firstDueMs;
  if (dueMs > nowMs) return sendLater(ports, message, dueMs);
  const endpoint = await ports.webhooks.endpoint(endpointKeyOf(message));
  if (!endpoint) return giveUpOrphan(ports, message);
  const untilMs = nowMs + webhookClaimMs;
  const slot = await ports.webhooks.takeSlot(endpoint, nowMs, untilMs);
  if (slot === undefined) return waitForSlot(ports, message);
  try {
    const claimed = await claimFor(ports, message, {
      nowMs,
      untilMs,
      wasDelivered: delivery.receives > 1,
    });
    return typeof claimed === 'string' ? claimed : await attemptDelivery(ports, endpoint, claimed);
  } finally {
    await freeSlot(ports, endpoint, slot, untilMs);
  }
}

/** A slot that is not freed is free again when its time is up. */
async function freeSlot(
  { webhooks, log }: NotifyNeeds,
  endpoint: Parameters<NotifyNeeds['webhooks']['freeSlot']>[0],
  slot: number,
  untilMs: number,
): Promise<void> {
  try {
    await webhooks.freeSlot(endpointKeyOf(endpoint), slot, untilMs);
  } catch {
    log('warn', 'slot not freed', { endpointId: endpoint.endpointId });
  }
}
