import { firstMessage } from '../core/delivery-message.ts';
import { deliveryOf, type WebhookFact } from '../core/webhook-delivery.ts';
import type { Endpoint, EndpointKey } from '../core/webhook.ts';
import type { Ports } from '../ports.ts';

export type WebhookNeeds = Pick<Ports, 'webhooks' | 'deliveries'>;

export interface Telling {
  readonly fact: WebhookFact;
  /** The receiver that a task or a session named. */
  readonly webhookId?: string | undefined;
  /** Whoever registered by then must hear of it; without one, whoever is known to listen. */
  readonly heardSinceMs?: number | undefined;
}

/**
 * Tell whoever listens. Nobody is told by hand: each gets a message of its own, and a fact that is told
 * twice makes the same delivery. Most facts interest nobody, and cost nothing.
 */
export async function tellWebhooks(ports: WebhookNeeds, telling: Telling): Promise<void> {
  const listeners = await listenersTo(ports, telling);
  if (listeners.length === 0) return;
  const { fact } = telling;
  await ports.deliveries.send(listeners.map((key) => firstMessage(deliveryOf(fact, key))));
}

/** Registered receivers that ask for such facts, and the one that was named. */
export async function listenersTo(
  { webhooks }: Pick<Ports, 'webhooks'>,
  { fact, webhookId, heardSinceMs }: Telling,
): Promise<readonly EndpointKey[]> {
  const { owner } = fact;
  const registered = await webhooks.endpoints(owner, heardSinceMs);
  const named = webhookId === undefined ? [] : [{ owner, endpointId: webhookId }];
  return [...registered.filter((endpoint) => asksFor(endpoint, fact)), ...named];
}

/**
 * What was before a receiver was registered is none of its business. One that is disabled is not asked, but
 * what it misses is recorded, so that it can be recovered.
 */
const asksFor = ({ types, createdAtMs }: Endpoint, { type, atMs }: WebhookFact): boolean =>
  types.some((wanted) => wanted === type) && createdAtMs <= atMs;
