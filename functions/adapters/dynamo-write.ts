import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Task, TaskKey } from '../core/task.ts';
import { hotKey, taskFromItem, type HotItem } from './dynamo-items.ts';
import type { DynamoTable } from './dynamo-task-store.ts';

/** One conditional write of a hot item. */
export interface HotWrite {
  readonly set: readonly string[];
  readonly names: Record<string, string>;
  readonly condition: string;
  readonly values: Record<string, unknown>;
}

type Assignments = Pick<HotWrite, 'set' | 'names' | 'values'>;

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
};
const commonValues = { ':working': 'working', ':asking': 'input_required', ':zero': 0 };

/** Apply a write, or answer undefined when its condition refuses. */
export async function updateHot(
  { client, table }: DynamoTable,
  key: TaskKey,
  write: HotWrite,
): Promise<Task | undefined> {
  const update = `SET ${write.set.join(', ')}`;
  const used = `${update} ${write.condition}`;
  const command = new UpdateCommand({
    TableName: table,
    Key: hotKey(key),
    UpdateExpression: update,
    ConditionExpression: write.condition,
    ExpressionAttributeNames: onlyUsed({ ...commonNames, ...write.names }, used),
    ExpressionAttributeValues: onlyUsed({ ...commonValues, ...write.values }, used),
    ReturnValues: 'ALL_NEW',
  });
  const answer = await refusedAsUndefined(client.send(command));
  return answer?.Attributes && taskFromItem(answer.Attributes as unknown as HotItem);
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
