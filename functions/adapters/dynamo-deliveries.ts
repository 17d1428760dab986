import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dueShards } from '../core/limits.ts';
import {
  readDeliveryCursor,
  reopenDelivery,
  type DeliveryClaim,
  type DeliveryKey,
  type DeliveryRecord,
  type WebhookDelivery,
} from '../core/webhook-delivery.ts';
import { webhookRetentionMs } from '../core/webhook-limits.ts';
import { lookAgainMs, overdueAtMs } from '../core/webhook-overdue.ts';
import type { EndpointKey } from '../core/webhook.ts';
import type { Page, PageRequest, WebhookStore } from '../ports.ts';
import { getItem, getItems } from './dynamo-read.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import {
  deliveryAttributes,
  deliveryFromItem,
  deliveryItemKey,
  deliveryShardOf,
  epochS,
  lineOf,
  type DeliveryItem,
} from './dynamo-webhook-items.ts';
import { refusedAsUndefined, setting } from './dynamo-write.ts';

type Deliveries = Pick<
  WebhookStore,
  'claim' | 'record' | 'addAttempt' | 'reopen' | 'delivery' | 'deliveries' | 'takeOverdue'
>;

export const dynamoDeliveries = (dynamo: DynamoTable): Deliveries => ({
  claim: (request) => claim(dynamo, request),
  record: (key, fence, record) => recordAttempt(dynamo, key, fence, record),
  async addAttempt(key, attempt) {
    await update(dynamo, key, {
      change: 'SET #tries = list_append(#tries, :tried), #before = #before + :one',
      condition: 'attribute_exists(#fence)',
      names: { ...commonNames, '#before': 'before' },
      values: { ':tried': [attempt], ':one': 1 },
    });
  },
  reopen: (key, atMs) => reopen(dynamo, key, atMs),
  async delivery(key) {
    const item = await getItem<DeliveryItem>(dynamo, deliveryItemKey(key));
    return item && deliveryFromItem(item);
  },
  deliveries: (key, page) => listDeliveries(dynamo, key, page),
  takeOverdue: (nowMs, limit) => takeOverdue(dynamo, nowMs, limit),
});

/** The claim is also the put: the first message brings the delivery into being. */
function claim(dynamo: DynamoTable, { start, token, nowMs, untilMs, ...key }: DeliveryClaim) {
  const waiting = '(#status = :pending AND #until <= :now AND #next <= :now)';
  const first = start && {
    ...deliveryAttributes(start),
    status: 'pending',
    tries: [],
    before: 0,
    next: nowMs,
    looks: 0,
    shard: deliveryShardOf(start.deliveryId),
    due: overdueAtMs({ dueMs: nowMs }),
  };
  const given = setting(first ?? {}, 'if absent');
  const own = setting({ until: untilMs, token });
  return update(dynamo, key, {
    change: `SET ${[...given.set, ...own.set, '#fence = if_not_exists(#fence, :zero) + :one'].join(', ')}`,
    condition: first ? `attribute_not_exists(pk) OR ${waiting}` : waiting,
    names: { ...given.names, ...own.names, ...commonNames },
    values: { ...given.values, ...own.values, ':now': nowMs, ':one': 1, ':zero': 0, ...states },
  });
}

function recordAttempt(
  dynamo: DynamoTable,
  key: DeliveryKey,
  fence: number,
  { attempt, next }: DeliveryRecord,
) {
  const set = setting({
    until: 0,
    looks: 0,
    ...(next.status === 'pending'
      ? { next: next.dueMs, due: overdueAtMs(next) }
      : { status: next.status, settled: next.atMs, ttl: epochS(next.atMs + webhookRetentionMs) }),
  });
  const clauses = [...set.set, ...(attempt ? ['#tries = list_append(#tries, :tried)'] : [])];
  // Out of the index of what is due, once it is settled.
  const leave = next.status === 'pending' ? '' : ' REMOVE #shard, #due';
  return update(dynamo, key, {
    change: `SET ${clauses.join(', ')}${leave}`,
    condition: '#status = :pending AND #fence = :fence',
    names: { ...set.names, ...commonNames },
    values: { ...set.values, ':tried': [attempt], ':fence': fence, ...states },
  });
}

/**
 * Refused when it was claimed or settled meanwhile: then what stands there now is reopened. Whoever is
 * refused has lost to one who got on, so this ends.
 */
async function reopen(dynamo: DynamoTable, key: DeliveryKey, atMs: number) {
  for (let tries = 0; ; tries += 1) {
    const item = await getItem<DeliveryItem>(dynamo, deliveryItemKey(key));
    if (!item) return undefined;
    // Another has reopened it, or it is just being sent: both are what was asked for.
    if (tries > 0 && item.status === 'pending' && item.next <= atMs) return deliveryFromItem(item);
    const opened = reopenDelivery(deliveryFromItem(item), atMs);
    const set = setting({
      status: 'pending',
      before: opened.attemptsBefore,
      next: atMs,
      until: 0,
      looks: 0,
      fence: opened.claim.fence,
      shard: deliveryShardOf(key.deliveryId),
      due: overdueAtMs(opened),
    });
    const changed = await update(dynamo, key, {
      change: `SET ${set.set.join(', ')} REMOVE #ttl, #settled`,
      condition: '#status = :was AND #fence = :fence',
      names: { ...set.names, ...commonNames, '#ttl': 'ttl', '#settled': 'settled' },
      values: { ...set.values, ':was': item.status, ':fence': item.fence },
    });
    if (changed) return changed;
  }
}

async function listDeliveries(
  dynamo: DynamoTable,
  key: EndpointKey,
  { limit, cursor }: PageRequest,
): Promise<Page<WebhookDelivery>> {
  const after = cursor === undefined ? undefined : readDeliveryCursor(cursor);
  if (cursor !== undefined && !after) return { items: [] };
  const start = after && {
    ...deliveryItemKey({ owner: key.owner, deliveryId: after.deliveryId }),
    line: lineOf(key),
    made: after.atMs,
  };
  const found = await dynamo.client.send(
    new QueryCommand({
      TableName: dynamo.table,
      IndexName: 'newest',
      KeyConditionExpression: '#line = :line',
      ExpressionAttributeNames: { '#line': 'line' },
      ExpressionAttributeValues: { ':line': lineOf(key) },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: start,
    }),
  );
  const keys = (found.Items ?? []).map(({ pk }) => ({ pk: String(pk), sk: 'delivery' }));
  const items = (await getItems<DeliveryItem>(dynamo, keys)).map(deliveryFromItem);
  const last = found.LastEvaluatedKey;
  if (!last) return { items };
  const deliveryId = String(last.pk).slice(String(last.pk).lastIndexOf('#') + 1);
  return { items, cursor: `${Number(last.made)}.${deliveryId}` };
}

async function takeOverdue(dynamo: DynamoTable, nowMs: number, limit: number) {
  const shards = Array.from({ length: dueShards }, (_, shard) => String(shard));
  const keys = await Promise.all(shards.map((shard) => keysDue(dynamo, shard, nowMs, limit)));
  const items = await getItems<DeliveryItem>(dynamo, keys.flat().slice(0, limit));
  const taken = await Promise.all(items.map((item) => lookLater(dynamo, item, nowMs)));
  return taken.filter((delivery) => delivery !== undefined);
}

async function keysDue(
  { client, table }: DynamoTable,
  shard: string,
  nowMs: number,
  Limit: number,
) {
  const found = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: 'due',
      KeyConditionExpression: '#shard = :shard AND #due <= :now',
      ExpressionAttributeNames: { '#shard': 'shard', '#due': 'due' },
      ExpressionAttributeValues: { ':shard': shard, ':now': nowMs },
      Limit,
    }),
  );
  return (found.Items ?? []).map(({ pk }) => ({ pk: String(pk), sk: 'delivery' }));
}

/** Refused when it was tried meanwhile: then it is late no more. */
function lookLater(dynamo: DynamoTable, item: DeliveryItem, nowMs: number) {
  const set = setting({ due: lookAgainMs(nowMs, item.looks), looks: item.looks + 1 });
  return update(dynamo, deliveryFromItem(item), {
    change: `SET ${set.set.join(', ')}`,
    condition: '#status = :pending AND #due = :was AND #due <= :now',
    names: { ...set.names, ...commonNames },
    values: { ...set.values, ':was': item.due ?? 0, ':now': nowMs, ...states },
  });
}

const commonNames = {
  '#status': 'status',
  '#until': 'until',
  '#next': 'next',
  '#fence': 'fence',
  '#tries': 'tries',
  '#shard': 'shard',
  '#due': 'due',
};
const states = { ':pending': 'pending' };

interface Change {
  readonly change: string;
  readonly condition: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
}

async function update(
  { client, table }: DynamoTable,
  key: DeliveryKey,
  { change, condition, names, values }: Change,
): Promise<WebhookDelivery | undefined> {
  const words = new Set(`${change} ${condition}`.match(/[#:][A-Za-z_]+/g));
  const used = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => words.has(name)));
  const command = new UpdateCommand({
    TableName: table,
    Key: deliveryItemKey(key),
    UpdateExpression: change,
    ConditionExpression: condition,
    ExpressionAttributeNames: used(names),
    ExpressionAttributeValues: used(values),
    ReturnValues: 'ALL_NEW',
  });
  const changed = (await refusedAsUndefined(client.send(command)))?.Attributes;
  return changed && deliveryFromItem(changed as unknown as DeliveryItem);
}
