import type { DeliveryMessage } from '../core/delivery-message.ts';
import { deliveryKeyOf, type WebhookDelivery } from '../core/webhook-delivery.ts';
import { webhookClaimMs } from '../core/webhook-limits.ts';
import type { Verdict } from '../ports.ts';
import type { NotifyNeeds } from './needs.ts';
import { sendLater } from './send-later.ts';
import { settleWithout, tellSettled } from './settle.ts';

interface Claiming {
  readonly nowMs: number;
  readonly untilMs: number;
  /** An earlier holder of this message may have died in the middle of its work. */
  readonly wasDelivered: boolean;
}

/** Refused is not failed: a refusal is followed by a read, and only what the read shows is acted on. */
export async function claimFor(
  ports: NotifyNeeds,
  message: DeliveryMessage,
  { nowMs, untilMs, wasDelivered }: Claiming,
): Promise<WebhookDelivery | Verdict> {
  const key = deliveryKeyOf(message);
  const token = ports.newToken();
  const request = { ...key, start: message.start, token, nowMs, untilMs };
  const claimed = await ports.webhooks.claim(request);
  if (claimed) return claimed;
  const found = await ports.webhooks.delivery(key);
  if (!found) return 'done';
  if (found.status !== 'pending') {
    await tellSettled(ports, found);
    return 'done';
  }
  if (found.claim.token === token) return found;
  // Whoever made the attempts since has sent a message of its own, unless it died before it could.
  if (message.attempt < found.attempts.length && !wasDelivered) return 'done';
  const { start: _start, ...again } = message;
  const attempt = found.attempts.length;
  return sendLater(ports, { ...again, attempt }, Math.max(found.dueMs, found.claim.untilMs));
}

/** Its receiver was removed: nobody is told any more, and that is recorded. */
export async function giveUpOrphan(ports: NotifyNeeds, message: DeliveryMessage): Promise<Verdict> {
  const nowMs = ports.clock.nowMs();
  const claimed = await ports.webhooks.claim({
    ...deliveryKeyOf(message),
    start: message.start,
    token: ports.newToken(),
    nowMs,
    untilMs: nowMs + webhookClaimMs,
  });
  if (claimed) return settleWithout(ports, claimed, 'endpoint_removed');
  const found = await ports.webhooks.delivery(deliveryKeyOf(message));
  if (found?.status !== 'pending') return 'done';
  return sendLater(ports, message, Math.max(found.dueMs, found.claim.untilMs));
}
