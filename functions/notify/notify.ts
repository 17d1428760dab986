import { readDeliveryMessage } from '../core/delivery-message.ts';
import { slotLookMs, slotPatienceMs, webhookClaimMs } from '../core/webhook-limits.ts';
import { isWell } from '../core/webhook-health.ts';
import { endpointKeyOf, slotsKeyOf, type Endpoint, type EndpointKey } from '../core/webhook.ts';
import type { Delivery, Verdict } from '../ports.ts';
import { attemptDelivery } from './attempt.ts';
import { claimFor, giveUpOrphan } from './claim-delivery.ts';
import type { NotifyNeeds } from './needs.ts';
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
  const held = await takeSlot(ports, endpoint);
  if (!held) return waitForSlot(ports, message, endpoint);
  try {
    const claimed = await claimFor(ports, message, {
      nowMs: ports.clock.nowMs(),
      untilMs: held.untilMs,
      wasDelivered: delivery.receives > 1,
    });
    return typeof claimed === 'string' ? claimed : await attemptDelivery(ports, endpoint, claimed);
  } finally {
    await freeSlot(ports, held);
  }
}

interface HeldSlot {
  readonly key: EndpointKey;
  readonly slot: number;
  readonly untilMs: number;
}

/** A receiver that fails is not waited for: whoever wants it asks again later. */
async function takeSlot(ports: NotifyNeeds, endpoint: Endpoint): Promise<HeldSlot | undefined> {
  const { clock, webhooks } = ports;
  const key = slotsKeyOf(endpoint);
  const patienceMs = isWell(endpoint) ? slotPatienceMs : 0;
  for (let waitedMs = 0; ; waitedMs += slotLookMs) {
    const nowMs = clock.nowMs();
    const untilMs = nowMs + webhookClaimMs;
    const slot = await webhooks.takeSlot(key, nowMs, untilMs);
    if (slot !== undefined) return { key, slot, untilMs };
    if (waitedMs >= patienceMs) return undefined;
    await clock.sleep(slotLookMs);
  }
}

/** A slot that is not freed is free again when its time is up. */
async function freeSlot(
  { webhooks, log }: NotifyNeeds,
  { key, slot, untilMs }: HeldSlot,
): Promise<void> {
  try {
    await webhooks.freeSlot(key, slot, untilMs);
  } catch {
    log('warn', 'slot not freed', { endpointId: key.endpointId });
  }
}
