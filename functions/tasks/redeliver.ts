import { laterMessage } from '../core/delivery-message.ts';
import { pageLimitMax } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import {
  deliveryKeyOf,
  hasDeliveryExpired,
  isDeliveryId,
  type DeliveryKey,
  type WebhookDelivery,
} from '../core/webhook-delivery.ts';
import { recoverMax } from '../core/webhook-limits.ts';
import { endpointKeyOf, healthy, type Endpoint } from '../core/webhook.ts';
import type { Page, Ports } from '../ports.ts';

type Needs = Pick<Ports, 'webhooks' | 'deliveries' | 'clock'>;

/** Send one delivery again, whatever became of it; its id stays, so that its receiver knows it. */
export async function redeliver(ports: Needs, key: DeliveryKey): Promise<Result<WebhookDelivery>> {
  const found = isDeliveryId(key.deliveryId) ? await ports.webhooks.delivery(key) : undefined;
  if (!found || hasDeliveryExpired(found, ports.clock.nowMs())) return notFound;
  const endpoint = await ports.webhooks.endpoint(endpointKeyOf(found));
  if (endpoint?.health.state === 'disabled') return refuse({ reason: 'endpoint_disabled' });
  const opened = await sendAnew(ports, found);
  return opened ? ok(opened) : notFound;
}

const notFound = refuse({ reason: 'delivery_not_found' });

/**
 * Send again all that was given up on since a time, oldest last. Whoever asks says that the receiver is
 * there again, so it is taken for healthy.
 */
export async function recover(ports: Needs, endpoint: Endpoint, sinceMs: number): Promise<number> {
  if (endpoint.health.state !== 'active') {
    await ports.webhooks.setHealth(endpoint, endpoint.health, healthy);
  }
  let count = 0;
  let page: Page<WebhookDelivery> | undefined;
  do {
    page = await ports.webhooks.deliveries(endpoint, {
      limit: pageLimitMax,
      cursor: page?.cursor,
    });
    const lost = page.items.filter(({ status, atMs }) => status === 'exhausted' && atMs >= sinceMs);
    await Promise.all(lost.map((delivery) => sendAnew(ports, delivery)));
    count += lost.length;
    if ((page.items.at(-1)?.atMs ?? 0) < sinceMs) break;
  } while (page.cursor && count < recoverMax);
  return count;
}

/** Opened first: a message that finds it settled would do nothing. If the send fails, the sweep finds it. */
async function sendAnew(
  { webhooks, deliveries, clock }: Needs,
  delivery: WebhookDelivery,
): Promise<WebhookDelivery | undefined> {
  const opened = await webhooks.reopen(deliveryKeyOf(delivery), clock.nowMs());
  if (opened) await deliveries.send([laterMessage(opened, opened.attempts.length)]);
  return opened;
}
