import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { KeptValue, StoredValue } from '../core/stored-value.ts';
import type { Task, TaskKey } from '../core/task.ts';
import {
  answerKey,
  argumentsKey,
  coldTtl,
  hotKey,
  initialKey,
  itemVersion,
  packValue,
  partitionOf,
  partKey,
  partName,
  questionKey,
  resultKey,
  unpackValue,
  type HotItem,
  type PackedValue,
} from './dynamo-items.ts';
import { getItem } from './dynamo-read.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { refusedAsUndefined } from './dynamo-write.ts';

/** The cold items of a task: each is written once, and read only by whoever wants the value. */
export async function putCold(
  { client, table }: DynamoTable,
  key: TaskKey,
  sk: string,
  cold: PackedValue | undefined,
): Promise<void> {
  if (!cold) return;
  const Item = { pk: partitionOf(key), sk, v: itemVersion, ...cold, ttl: coldTtl(Date.now()) };
  await client.send(new PutCommand({ TableName: table, Item }));
}

/** The same for a value that is named by its place: whoever comes second leaves the first as it is. */
export async function putFirst(
  { client, table }: DynamoTable,
  key: TaskKey,
  sk: string,
  cold: PackedValue,
): Promise<boolean> {
  const put = new PutCommand({
    TableName: table,
    Item: { pk: partitionOf(key), sk, v: itemVersion, ...cold, ttl: coldTtl(Date.now()) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return (await refusedAsUndefined(client.send(put))) !== undefined;
}

async function readCold(dynamo: DynamoTable, key: TaskKey, sk: string): Promise<StoredValue> {
  const item = await getItem<PackedValue>(dynamo, { pk: partitionOf(key), sk });
  const value = item && unpackValue(item);
  if (!value) throw new Error(`A value that a task names is not stored: ${sk}.`);
  return value;
}

export async function readResult(dynamo: DynamoTable, task: Task): Promise<StoredValue> {
  const { state } = task;
  if (state.status !== 'completed') throw new Error('Only a completed task has a result.');
  return state.result ?? readCold(dynamo, task, resultKey(state.resultDigest));
}

/** Small ones stand in the hot item, which a task does not carry about. */
export async function readArguments(dynamo: DynamoTable, task: Task): Promise<StoredValue> {
  const item = await getItem<HotItem>(dynamo, hotKey(task));
  return (
    (item && unpackValue(item.args)) ?? readCold(dynamo, task, argumentsKey(task.argumentsDigest))
  );
}

/** The hot item alone knows which parts were taken: a writer that lost may have left one behind. */
export async function readPart(
  dynamo: DynamoTable,
  task: Task,
  number: number,
): Promise<StoredValue> {
  const item = await getItem<HotItem>(dynamo, hotKey(task));
  const name = item?.parts?.[number - 1];
  if (name === undefined) throw new Error(`The task has no result number ${number}.`);
  return readCold(dynamo, task, partKey(name));
}

export async function hasPart(dynamo: DynamoTable, task: Task, digest: string): Promise<boolean> {
  const item = await getItem<HotItem>(dynamo, hotKey(task));
  return item?.parts?.includes(partName(digest)) ?? false;
}

export const readQuestion = (dynamo: DynamoTable, task: Task, name: string) =>
  readCold(dynamo, task, questionKey(name));

export const putAnswer = (dynamo: DynamoTable, key: TaskKey, name: string, answer: StoredValue) =>
  putFirst(dynamo, key, answerKey(name), packValue(answer));

export async function readAnswer(
  dynamo: DynamoTable,
  key: TaskKey,
  name: string,
): Promise<StoredValue | undefined> {
  const sk = answerKey(name);
  const item = await getItem<PackedValue>(dynamo, { pk: partitionOf(key), sk });
  return item && unpackValue(item);
}

export const readInitial = (dynamo: DynamoTable, task: Task) =>
  readKept(dynamo, task, task.initial, initialKey);

export const readLate = (dynamo: DynamoTable, task: Task) =>
  readKept(dynamo, task, task.late, resultKey);

async function readKept(
  dynamo: DynamoTable,
  task: Task,
  kept: KeptValue | undefined,
  keyFor: (digest: string) => string,
): Promise<StoredValue | undefined> {
  return kept && (kept.value ?? readCold(dynamo, task, keyFor(kept.digest)));
}

const stateKey = (key: TaskKey) => ({ pk: partitionOf(key), sk: 'state' });

interface Checkpoint {
  readonly fence: number;
  readonly json: string;
}

/** Its own item: it may be large, and rewriting it must not bill the hot item. */
export async function putCheckpoint(
  dynamo: DynamoTable,
  key: TaskKey,
  { fence, json }: Checkpoint,
): Promise<boolean> {
  const put = new PutCommand({
    TableName: dynamo.table,
    Item: { ...stateKey(key), v: itemVersion, fence, json, ttl: coldTtl(Date.now()) },
    ConditionExpression: 'attribute_not_exists(pk) OR fence <= :fence',
    ExpressionAttributeValues: { ':fence': fence },
  });
  return (await refusedAsUndefined(dynamo.client.send(put))) !== undefined;
}

export async function readCheckpoint(
  dynamo: DynamoTable,
  key: TaskKey,
): Promise<string | undefined> {
  const item = await getItem<Partial<Checkpoint>>(dynamo, stateKey(key));
  return item?.json;
}
