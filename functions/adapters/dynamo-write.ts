import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Task, TaskKey } from '../core/task.ts';
import { hotKey, type HotItem } from './dynamo-items.ts';
import { taskFromItem } from './dynamo-task-item.ts';
import type { DynamoTable } from './dynamo-task-store.ts';

/** One conditional write of one item. */
export interface ItemWrite {
  readonly set: readonly string[];
  readonly names: Record<string, string>;
  readonly condition: string;
  readonly values: Record<string, unknown>;
}

type Assignments = Pick<ItemWrite, 'set' | 'names' | 'values'>;

/** `SET` clauses for some attributes, all by placeholder because many names are reserved words. */
export function setting(attributes: object, mode?: 'if absent'): Assignments {
  const set: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    names[`#${name}`] = name;
    values[`:new_${name}`] = value;
    const given = mode ? `if_not_exists(#${name}, :new_${name})` : `:new_${name}`;
    set.push(`#${name} = ${given}`);
  }
  return { set, names, values };
}

/** Names and values that conditions use beside what they set; only those that occur may be sent. */
const commonNames = {
  '#status': 'status',
  '#fence': 'fence',
  '#until': 'until',
  '#args': 'args',
  '#d': 'd',
  '#seq': 'seq',
  '#fails': 'fails',
  '#pauses': 'pauses',
  '#off': 'off',
  '#due': 'due',
  '#code': 'code',
  '#late': 'late',
  '#parts': 'parts',
};
const commonValues = {
  ':working': 'working',
  ':asking': 'input_required',
  ':failed': 'failed',
  ':cancelled': 'cancelled',
  ':timed_out': 'timed_out',
  ':zero': 0,
};

/** What a write to a task asks of its state. */
export const whileOpen = '(#status = :working OR #status = :asking)';
export const whileHeld = `${whileOpen} AND #fence = :fence AND #until > :zero`;

/** Change a task's hot item, or answer undefined when the condition refuses. */
export async function updateHot(
  dynamo: DynamoTable,
  key: TaskKey,
  write: ItemWrite,
): Promise<Task | undefined> {
  const names = { ...commonNames, ...write.names };
  const values = { ...commonValues, ...write.values };
  const item = await updateItem(dynamo, hotKey(key), { ...write, names, values });
  return item && taskFromItem(item as unknown as HotItem);
}

/** Apply a write and answer with the item as it now is, or undefined when its condition refuses. */
export async function updateItem(
  { client, table }: DynamoTable,
  Key: { readonly pk: string; readonly sk: string },
  write: ItemWrite,
): Promise<Record<string, unknown> | undefined> {
  const update = `SET ${write.set.join(', ')}`;
  const used = `${update} ${write.condition}`;
  const command = new UpdateCommand({
    TableName: table,
    Key,
    UpdateExpression: update,
    ConditionExpression: write.condition,
    ExpressionAttributeNames: onlyUsed(write.names, used),
    ExpressionAttributeValues: onlyUsed(write.values, used),
    ReturnValues: 'ALL_NEW',
  });
  return (await refusedAsUndefined(client.send(command)))?.Attributes;
}

/** Put an item where none is yet; false where there is one. */
export async function putIfFree({ client, table }: DynamoTable, Item: object): Promise<boolean> {
  const put = new PutCommand({
    TableName: table,
    Item: { ...Item },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return (await refusedAsUndefined(client.send(put))) !== undefined;
}

function onlyUsed<T>(all: Record<string, T>, text: string): Record<string, T> {
  const words = new Set(text.match(/[#:][A-Za-z_]+/g));
  return Object.fromEntries(Object.entries(all).filter(([name]) => words.has(name)));
}

/** The one exception this house translates: a condition that said no. Everything else is an outage. */
export async function refusedAsUndefined<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (thrown) {
    if (thrown instanceof ConditionalCheckFailedException) return undefined;
    throw thrown;
  }
}
