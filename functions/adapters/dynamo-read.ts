import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoTable } from './dynamo-task-store.ts';

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Every read here is consistent: what it finds decides what is written next. */
export async function getItem<Item>({ client, table }: DynamoTable, Key: ItemKey) {
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return found.Item as Item | undefined;
}

/** In the order of the keys, without those that are not there. At most a hundred at a time. */
export async function getItems<Item extends ItemKey>(
  { client, table }: DynamoTable,
  keys: readonly ItemKey[],
): Promise<readonly Item[]> {
  const found = new Map<string, Item>();
  let wanted: Record<string, unknown>[] = [...keys].map((key) => ({ ...key }));
  // BatchGet may leave keys unread under load or above 16 MB; they are asked for again.
  while (wanted.length > 0) {
    const answer = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    for (const item of (answer.Responses?.[table] ?? []) as Item[]) found.set(nameOf(item), item);
    wanted = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return keys.flatMap((key) => found.get(nameOf(key)) ?? []);
}

const nameOf = ({ pk, sk }: ItemKey) => `${pk} ${sk}`;

/** A run of sort keys within one partition, both ends included. */
export interface Stretch {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** The first items of a stretch, or its last ones, newest first. One answer ends at 1 MB, so there may be several. */
export async function queryItems<Item>(
  { client, table }: DynamoTable,
  { pk, from, to }: Stretch,
  { limit, newestFirst = false }: { readonly limit: number; readonly newestFirst?: boolean },
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const found = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ScanIndexForward: !newestFirst,
        Limit: limit - items.length,
        ConsistentRead: true,
        ExclusiveStartKey: after,
      }),
    );
    items.push(...((found.Items ?? []) as Item[]));
    after = found.LastEvaluatedKey;
  } while (after && items.length < limit);
  return items;
}
