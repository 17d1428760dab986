import { createHash } from 'node:crypto';
import { asOwner } from '../core/ids.ts';
import { dueShards } from '../core/limits.ts';
import type {
  DeliveryAttempt,
  DeliveryKey,
  DeliveryStart,
  WebhookData,
  WebhookDelivery,
} from '../core/webhook-delivery.ts';
import { urlKeptMs, webhookRetentionMs } from '../core/webhook-limits.ts';
import { isUrlEndpoint, type Endpoint, type EndpointKey } from '../core/webhook.ts';

/**
 * The storage schema of the Webhooks table.
 *
 *   pk                  sk                what                                     written
 *   owner               endpoint#id       a registered receiver                    by its owner; by its answers
 *   owner               url#id            a URL that a task or session named       with that; by its answers
 *   owner               former#id         a receiver that was removed              then
 *   owner               secret            signs what goes to such URLs             once
 *   owner#endpointId    slots             which deliveries go there right now      twice an attempt
 *   owner#deliveryId    delivery          one fact on its way to one receiver      twice an attempt
 *   owner#audit         time#name         one row of the owner's audit             once
 */
export const webhookItemVersion = 1;

export interface EndpointItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly id: string;
  readonly url: string;
  readonly types: Endpoint['types'];
  readonly payload: Endpoint['payload'];
  readonly made: number;
  readonly state: Endpoint['health']['state'];
  readonly fails: number;
  readonly since?: number;
  readonly paused: number;
  readonly secret?: string;
  readonly old?: string;
  readonly olduntil?: number;
  readonly ttl?: number;
}

export interface DeliveryItem {
  readonly pk: string;
  readonly sk: 'delivery';
  readonly v: number;
  /** Whose line of deliveries it stands in, and since when. */
  readonly line: string;
  readonly made: number;
  readonly type: DeliveryStart['type'];
  readonly data: string;
  readonly status: WebhookDelivery['status'];
  readonly tries: readonly DeliveryAttempt[];
  readonly before: number;
  readonly next: number;
  readonly fence: number;
  readonly until: number;
  readonly token: string;
  readonly looks: number;
  readonly shard?: string;
  readonly due?: number;
  readonly settled?: number;
  readonly ttl?: number;
}

export interface FormerItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly id: string;
  readonly ttl: number;
}

/** Kept as long as the newest of its deliveries. */
export const formerItem = ({ owner, endpointId: id }: EndpointKey, atMs: number): FormerItem => ({
  pk: String(owner),
  sk: `former#${id}`,
  v: webhookItemVersion,
  id,
  ttl: epochS(atMs + webhookRetentionMs),
});
export const formerOf = (owner: string) => ({ pk: owner, from: 'former#', to: 'former#~' });

export const endpointsOf = (owner: string) => ({
  pk: owner,
  from: 'endpoint#',
  to: 'endpoint#~',
});
export const endpointItemKey = (key: EndpointKey) => ({
  pk: String(key.owner),
  sk: `${isUrlEndpoint(key) ? 'url' : 'endpoint'}#${key.endpointId}`,
});
export const secretItemKey = (owner: string) => ({ pk: owner, sk: 'secret' });
export const lineOf = ({ owner, endpointId }: EndpointKey) => `${owner}#${endpointId}`;
export const slotsItemKey = (key: EndpointKey) => ({ pk: lineOf(key), sk: 'slots' });
export const deliveryItemKey = ({ owner, deliveryId }: DeliveryKey) => ({
  pk: `${owner}#${deliveryId}`,
  sk: 'delivery',
});
export const deliveryShardOf = (deliveryId: string) =>
  String((createHash('sha256').update(deliveryId).digest()[0] ?? 0) % dueShards);

/** DynamoDB's own unit for expiry. */
export const epochS = (ms: number) => Math.ceil(ms / 1000);

export const healthAttributes = ({ health }: Pick<Endpoint, 'health'>) => ({
  state: health.state,
  fails: health.failures,
  since: health.failingSinceMs ?? 0,
  paused: health.pausedUntilMs,
});

export const secretAttributes = ({ secrets }: Pick<Endpoint, 'secrets'>) =>
  secrets
    ? {
        secret: secrets.current,
        old: secrets.previous?.secret ?? '',
        olduntil: secrets.previous?.untilMs ?? 0,
      }
    : {};

export const itemFromEndpoint = (endpoint: Endpoint): EndpointItem => ({
  ...endpointItemKey(endpoint),
  v: webhookItemVersion,
  id: endpoint.endpointId,
  url: endpoint.url,
  types: [...endpoint.types],
  payload: endpoint.payload,
  made: endpoint.createdAtMs,
  ...healthAttributes(endpoint),
  ...secretAttributes(endpoint),
  ...(isUrlEndpoint(endpoint) ? { ttl: epochS(endpoint.createdAtMs + urlKeptMs) } : {}),
});

export function endpointFromItem(item: EndpointItem): Endpoint {
  const { pk, id, url, types, payload, made, state, fails, since, paused, secret } = item;
  const previous = item.old ? { secret: item.old, untilMs: item.olduntil ?? 0 } : undefined;
  return {
    owner: asOwner(pk),
    endpointId: id,
    url,
    types,
    payload,
    createdAtMs: made,
    secrets: secret === undefined ? undefined : { current: secret, ...(previous && { previous }) },
    health: {
      state,
      failures: fails,
      failingSinceMs: since || undefined,
      pausedUntilMs: paused,
    },
  };
}

/** The facts of a start that never change, as attributes. */
export const deliveryAttributes = (start: DeliveryStart) => ({
  v: webhookItemVersion,
  line: lineOf(start),
  made: start.atMs,
  type: start.type,
  data: JSON.stringify(start.data),
});

export function deliveryFromItem(item: DeliveryItem): WebhookDelivery {
  const cut = item.pk.lastIndexOf('#');
  return {
    owner: asOwner(item.pk.slice(0, cut)),
    deliveryId: item.pk.slice(cut + 1),
    endpointId: item.line.slice(item.line.lastIndexOf('#') + 1),
    type: item.type,
    atMs: item.made,
    data: JSON.parse(item.data) as WebhookData,
    status: item.status,
    attempts: item.tries,
    attemptsBefore: item.before,
    dueMs: item.next,
    claim: { fence: item.fence, untilMs: item.until, token: item.token },
    settledAtMs: item.settled,
  };
}
