import type { Owner } from '../core/ids.ts';
import {
  addAttempt,
  claimDelivery,
  deliveryCursor,
  recordDelivery,
  reopenDelivery,
  type DeliveryKey,
  type WebhookDelivery,
} from '../core/webhook-delivery.ts';
import { endpointSlots } from '../core/webhook-limits.ts';
import { lookAgainMs, overdueAtMs } from '../core/webhook-overdue.ts';
import { isUrlEndpoint, type Endpoint, type EndpointKey } from '../core/webhook.ts';
import type { EndpointStore, WebhookStore } from '../ports.ts';

interface Kept {
  readonly delivery: WebhookDelivery;
  readonly lookAtMs: number;
  readonly looks: number;
}

/** The conditions of the DynamoDB store over Maps. */
export function memoryWebhookStore(): WebhookStore {
  const endpoints = new Map<string, Endpoint>();
  const secrets = new Map<Owner, string>();
  const deliveries = new Map<string, Kept>();
  const keep = (delivery: WebhookDelivery | undefined) => {
    if (!delivery) return undefined;
    deliveries.set(deliveryName(delivery), {
      delivery,
      lookAtMs: overdueAtMs(delivery),
      looks: 0,
    });
    return delivery;
  };
  const found = (key: DeliveryKey) => deliveries.get(deliveryName(key))?.delivery;
  return {
    ...endpointRules(endpoints),
    async ownerSecret(owner, fresh) {
      const secret = secrets.get(owner) ?? fresh;
      secrets.set(owner, secret);
      return secret;
    },
    ...memorySlots(),
    claim: async (request) => keep(claimDelivery(found(request), request)),
    async record(key, fence, record) {
      const delivery = found(key);
      return keep(delivery && recordDelivery(delivery, fence, record));
    },
    async addAttempt(key, attempt) {
      const delivery = found(key);
      keep(delivery && addAttempt(delivery, attempt));
    },
    async reopen(key, atMs) {
      const delivery = found(key);
      return keep(delivery && reopenDelivery(delivery, atMs));
    },
    delivery: async (key) => found(key),
    async deliveries(key, { limit, cursor }) {
      const own = [...deliveries.values()]
        .map(({ delivery }) => delivery)
        .filter((one) => endpointName(one) === endpointName(key))
        .toSorted((a, b) => b.atMs - a.atMs || (a.deliveryId < b.deliveryId ? 1 : -1));
      const from = own.findIndex((one) => deliveryCursor(one) === cursor) + 1;
      const items = own.slice(from, from + limit);
      const last = items.at(-1);
      return last && from + limit < own.length
        ? { items, cursor: deliveryCursor(last) }
        : { items };
    },
    async takeOverdue(nowMs, limit) {
      const late = [...deliveries.values()]
        .filter(({ delivery, lookAtMs }) => delivery.status === 'pending' && lookAtMs <= nowMs)
        .slice(0, limit);
      for (const { delivery, looks } of late) {
        const lookAtMs = lookAgainMs(nowMs, looks);
        deliveries.set(deliveryName(delivery), { delivery, lookAtMs, looks: looks + 1 });
      }
      return late.map(({ delivery }) => delivery);
    },
  };
}

const endpointName = ({ owner, endpointId }: EndpointKey) => `${owner}#${endpointId}`;
const deliveryName = ({ owner, deliveryId }: DeliveryKey) => `${owner}#${deliveryId}`;

function memorySlots(): Pick<WebhookStore, 'takeSlot' | 'freeSlot'> {
  const slots = new Map<string, number[]>();
  return {
    async takeSlot(key, nowMs, untilMs) {
      const taken = slots.get(endpointName(key)) ?? Array<number>(endpointSlots).fill(0);
      const slot = taken.findIndex((until) => until <= nowMs);
      if (slot < 0) return undefined;
      slots.set(endpointName(key), taken.with(slot, untilMs));
      return slot;
    },
    async freeSlot(key, slot, untilMs) {
      const taken = slots.get(endpointName(key));
      if (taken?.[slot] === untilMs) slots.set(endpointName(key), taken.with(slot, 0));
    },
  };
}

function endpointRules(endpoints: Map<string, Endpoint>): EndpointStore {
  const former = new Map<Owner, readonly string[]>();
  const change = (
    key: EndpointKey,
    rule: (endpoint: Endpoint) => Endpoint | undefined,
  ): boolean => {
    const endpoint = endpoints.get(endpointName(key));
    const changed = endpoint && rule(endpoint);
    if (changed) endpoints.set(endpointName(key), changed);
    return changed !== undefined;
  };
  return {
    async putEndpoint(endpoint) {
      if (endpoints.has(endpointName(endpoint))) return false;
      endpoints.set(endpointName(endpoint), endpoint);
      return true;
    },
    async keepUrl(endpoint) {
      endpoints.set(endpointName(endpoint), endpoint);
    },
    endpoint: async (key) => endpoints.get(endpointName(key)),
    endpoints: async (owner) =>
      [...endpoints.values()]
        .filter((endpoint) => endpoint.owner === owner && !isUrlEndpoint(endpoint))
        .toSorted((a, b) => a.createdAtMs - b.createdAtMs),
    formerEndpoints: async (owner) => former.get(owner) ?? [],
    async removeEndpoint(key) {
      former.set(key.owner, [...(former.get(key.owner) ?? []), key.endpointId]);
      return endpoints.delete(endpointName(key));
    },
    rotate: async (key, from, secrets) =>
      change(key, (endpoint) =>
        endpoint.secrets?.current === from ? { ...endpoint, secrets } : undefined,
      ),
    setHealth: async (key, from, health) =>
      change(key, (endpoint) => {
        const { state, failures } = endpoint.health;
        const isAsRead = state === from.state && failures === from.failures;
        return isAsRead || health.state === 'disabled' ? { ...endpoint, health } : undefined;
      }),
  };
}
