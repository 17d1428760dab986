import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Owner } from '../core/ids.ts';
import { dueShards } from '../core/limits.ts';
import type { TaskKey } from '../core/task.ts';
import type { DueWindow, ListRequest, Page, TaskList } from '../ports.ts';
import { hotKey, keyFromPartition, type HotItem } from './dynamo-items.ts';
import { getItems } from './dynamo-read.ts';
import { taskFromItem } from './dynamo-task-item.ts';
import type { DynamoTable } from './dynamo-task-store.ts';

/** The index knows only keys; the tasks themselves are read consistently and put back in its order. */
export async function listTasks(
  dynamo: DynamoTable,
  owner: Owner,
  { limit, after }: ListRequest,
): Promise<TaskList> {
  const start = after && {
    ...hotKey({ owner, taskId: after.taskId }),
    owner,
    made: after.createdAtMs,
  };
  const found = await dynamo.client.send(
    new QueryCommand({
      TableName: dynamo.table,
      IndexName: 'newest',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': owner },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: start,
    }),
  );
  const keys = (found.Items ?? []).map(({ pk }) => hotKey(keyFromPartition(String(pk))));
  const items = (await getItems<HotItem>(dynamo, keys)).map(taskFromItem);
  const last = found.LastEvaluatedKey;
  if (!last) return { items };
  const { taskId } = keyFromPartition(String(last.pk));
  return { items, last: { createdAtMs: Number(last.made), taskId } };
}

/** One shard after another; the cursor names the shard and the place in it. */
export async function listDue(dynamo: DynamoTable, window: DueWindow): Promise<Page<TaskKey>> {
  const place = readPlace(window.cursor);
  const found = await dynamo.client.send(
    new QueryCommand({
      TableName: dynamo.table,
      IndexName: 'due',
      KeyConditionExpression: '#shard = :shard AND #due BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#shard': 'shard', '#due': 'due' },
      ExpressionAttributeValues: {
        ':shard': String(place.shard),
        ':from': window.fromMs,
        ':to': window.toMs,
      },
      Limit: window.limit,
      ExclusiveStartKey: place.after,
    }),
  );
  const items = (found.Items ?? []).map(({ pk }) => keyFromPartition(String(pk)));
  const next = found.LastEvaluatedKey
    ? { shard: place.shard, after: found.LastEvaluatedKey }
    : { shard: place.shard + 1 };
  return next.shard < dueShards ? { items, cursor: JSON.stringify(next) } : { items };
}

interface DuePlace {
  readonly shard: number;
  readonly after?: Record<string, unknown>;
}

const readPlace = (cursor: string | undefined): DuePlace =>
  cursor === undefined ? { shard: 0 } : (JSON.parse(cursor) as DuePlace);
