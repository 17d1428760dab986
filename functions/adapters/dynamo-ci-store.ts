import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { BoundTask, CiSource } from '../core/ci/report.ts';
import { asOwner, asTaskId } from '../core/ids.ts';
import type { CiStore } from '../ports.ts';
import { coldTtl, itemVersion } from './dynamo-items.ts';
import { getItem } from './dynamo-read.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { refusedAsUndefined } from './dynamo-write.ts';

/**
 * In the Tasks table, each name an item of its own. No owner's name has a colon in it, so no task has
 * such a key. They outlast every task, and every copy of a message.
 *
 *   pk               what                                        written
 *   ci:bound#name    which task planted an id or registered a run  once
 *   ci:taken#name    who took a delivery                         once
 *   ci:mark#name     how far a run is                            by every report
 */
type Kind = 'bound' | 'taken' | 'mark';

const keyFor = (kind: Kind, name: string) => ({ pk: `ci:${kind}#${name}`, sk: 'ci' });

interface Bound {
  readonly who: string;
  readonly task: string;
  readonly source?: CiSource;
}

export function dynamoCiStore(dynamo: DynamoTable): CiStore {
  return {
    async bind(name, { owner, taskId, source }) {
      const item: Bound = { who: owner, task: taskId, ...(source && { source }) };
      const put = await putIf(dynamo, keyFor('bound', name), item, 'attribute_not_exists(pk)');
      const found = put ? undefined : await find(dynamo, name);
      return found ?? { owner, taskId, ...(source && { source }) };
    },
    find: (name) => find(dynamo, name),
    take: (name, taker) =>
      putIf(dynamo, keyFor('taken', name), { taker }, 'attribute_not_exists(pk) OR taker = :taker'),
    advance: (name, to) =>
      putIf(
        dynamo,
        keyFor('mark', name),
        { place: to },
        'attribute_not_exists(pk) OR place <= :place',
      ),
  };
}

async function find(dynamo: DynamoTable, name: string): Promise<BoundTask | undefined> {
  const item = await getItem<Bound>(dynamo, keyFor('bound', name));
  if (!item) return undefined;
  const { who, task, source } = item;
  return { owner: asOwner(who), taskId: asTaskId(task), ...(source && { source }) };
}

/** Put an item unless its condition, in words of the item itself, refuses. */
async function putIf(
  { client, table }: DynamoTable,
  key: ReturnType<typeof keyFor>,
  item: object,
  condition: string,
): Promise<boolean> {
  const named = Object.entries(item).map(([name, value]: [string, unknown]) => [`:${name}`, value]);
  const used = named.filter(([name]) => condition.includes(String(name)));
  const put = new PutCommand({
    TableName: table,
    Item: { ...key, v: itemVersion, ...item, ttl: coldTtl(Date.now()) },
    ConditionExpression: condition,
    ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) as object }),
  });
  return (await refusedAsUndefined(client.send(put))) !== undefined;
}
