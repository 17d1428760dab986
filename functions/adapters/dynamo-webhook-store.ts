import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { endpointSlots, urlKeptMs } from '../core/webhook-limits.ts';
import type { EndpointKey } from '../core/webhook.ts';
import type { EndpointStore, WebhookStore } from '../ports.ts';
import { getItem, queryItems } from './dynamo-read.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { dynamoDeliveries } from './dynamo-deliveries.ts';
import {
  endpointFromItem,
  endpointItemKey,
  endpointsOf,
  epochS,
  formerItem,
  formerOf,
  healthAttributes,
  itemFromEndpoint,
  secretAttributes,
  secretItemKey,
  slotsItemKey,
  webhookItemVersion,
  type EndpointItem,
  type FormerItem,
} from './dynamo-webhook-items.ts';
import { putIfFree, refusedAsUndefined, setting, updateItem } from './dynamo-write.ts';

/** More than an owner may register. */
const endpointsRead = 100;

/** Webhooks in DynamoDB: one item, one condition per write; every read that decides is consistent. */
export const dynamoWebhookStore = (dynamo: DynamoTable): WebhookStore => ({
  ...endpointItems(dynamo),
  ...slotItems(dynamo),
  ...dynamoDeliveries(dynamo),
  async ownerSecret(owner, fresh) {
    const key = secretItemKey(owner);
    const read = () => getItem<{ readonly secret: string }>(dynamo, key);
    const found = await read();
    if (found) return found.secret;
    const made = { ...key, v: webhookItemVersion, secret: fresh };
    if (await putIfFree(dynamo, made)) return fresh;
    const first = await read();
    if (!first) throw new Error('A secret was there and is gone: try again.');
    return first.secret;
  },
});

const endpointItems = (dynamo: DynamoTable): EndpointStore => ({
  putEndpoint: (endpoint) => putIfFree(dynamo, itemFromEndpoint(endpoint)),
  async keepUrl(endpoint) {
    const { client, table } = dynamo;
    await client.send(new PutCommand({ TableName: table, Item: itemFromEndpoint(endpoint) }));
  },
  async endpoint(key) {
    const item = await getItem<EndpointItem>(dynamo, endpointItemKey(key));
    return item && endpointFromItem(item);
  },
  async endpoints(owner) {
    const found = await queryItems<EndpointItem>(dynamo, endpointsOf(owner), {
      limit: endpointsRead,
    });
    return found.map(endpointFromItem).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  },
  async formerEndpoints(owner) {
    const found = await queryItems<FormerItem>(dynamo, formerOf(owner), { limit: endpointsRead });
    return found.map(({ id }) => id);
  },
  async removeEndpoint(key, atMs) {
    const { client, table } = dynamo;
    const Item = formerItem(key, atMs);
    // First, so that nothing it was told is ever out of sight; of one that was not there it says nothing.
    await client.send(new PutCommand({ TableName: table, Item }));
    const gone = new DeleteCommand({
      TableName: dynamo.table,
      Key: endpointItemKey(key),
      ConditionExpression: 'attribute_exists(pk)',
    });
    return (await refusedAsUndefined(dynamo.client.send(gone))) !== undefined;
  },
  async rotate(key, from, secrets) {
    const { set, names, values } = setting(secretAttributes({ secrets }));
    const write = {
      set,
      names,
      condition: '#secret = :from',
      values: { ...values, ':from': from },
    };
    return (await updateItem(dynamo, endpointItemKey(key), write)) !== undefined;
  },
  async setHealth(key, from, health) {
    const { set, names, values } = setting(healthAttributes({ health }));
    const mustBe = health.state === 'disabled';
    const write = {
      set,
      names: { ...names, '#pk': 'pk' },
      condition: mustBe ? 'attribute_exists(#pk)' : '#fails = :before AND #state = :was',
      values: { ...values, ':before': from.failures, ':was': from.state },
    };
    return (await updateItem(dynamo, endpointItemKey(key), write)) !== undefined;
  },
});

type SlotItem = Readonly<Record<string, number | undefined>>;
const slotName = (slot: number) => `s${'abcdefghij'[slot] ?? ''}`;

const slotItems = (dynamo: DynamoTable): Pick<WebhookStore, 'takeSlot' | 'freeSlot'> => ({
  async takeSlot(key, nowMs, untilMs) {
    // Each race for a slot has a winner, so whoever loses as often as there are slots finds none.
    for (let tries = 0; tries < endpointSlots; tries += 1) {
      const item = (await getItem<SlotItem>(dynamo, slotsItemKey(key))) ?? {};
      const free = Array.from({ length: endpointSlots }, (_, slot) => slot).filter(
        (slot) => (item[slotName(slot)] ?? 0) <= nowMs,
      );
      const [slot] = free;
      if (slot === undefined) return undefined;
      const was = item[slotName(slot)];
      if (await putSlot(dynamo, key, { slot, was, untilMs, keptMs: nowMs + urlKeptMs })) {
        return slot;
      }
    }
    return undefined;
  },
  async freeSlot(key, slot, untilMs) {
    await putSlot(dynamo, key, { slot, was: untilMs, untilMs: 0 });
  },
});

interface SlotChange {
  readonly slot: number;
  /** What was read there; refused when it is another by now. */
  readonly was: number | undefined;
  readonly untilMs: number;
  readonly keptMs?: number;
}

async function putSlot(
  dynamo: DynamoTable,
  key: EndpointKey,
  { slot, was, untilMs, keptMs }: SlotChange,
): Promise<boolean> {
  const name = slotName(slot);
  const { set, names, values } = setting({
    v: webhookItemVersion,
    [name]: untilMs,
    ...(keptMs === undefined ? {} : { ttl: epochS(keptMs) }),
  });
  const write = {
    set,
    names,
    condition: was === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was`,
    values: { ...values, ':was': was },
  };
  return (await updateItem(dynamo, slotsItemKey(key), write)) !== undefined;
}
