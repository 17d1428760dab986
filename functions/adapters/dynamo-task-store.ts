import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ClaimRequest, Release } from '../core/claim.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { TaskEvent, Writer } from '../core/task-event.ts';
import type { Task, TaskKey, TaskStart } from '../core/task.ts';
import type { SweepMark, TaskStore } from '../ports.ts';
import { refusedAsUndefined, setting, updateHot } from './dynamo-write.ts';
import { listTasks, listDue } from './dynamo-task-lists.ts';
import {
  argumentsKey,
  coldTtl,
  endAttributes,
  hotKey,
  partitionOf,
  placeArguments,
  placeResult,
  resultKey,
  startAttributes,
  taskFromItem,
  unpackValue,
  type HotItem,
  type PackedValue,
} from './dynamo-items.ts';

export interface DynamoTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** Tasks in DynamoDB: one item, one condition per write; every read that decides is consistent. */
export function dynamoTaskStore(dynamo: DynamoTable): TaskStore {
  return {
    create: (start) => createTask(dynamo, start),
    claim: (request) => claimTask(dynamo, request),
    renew: (key, fence, untilMs) => renewClaim(dynamo, key, fence, untilMs),
    release: (key, fence, release) => releaseTask(dynamo, key, fence, release),
    record: (key, writer, event) => recordEvent(dynamo, key, writer, event),
    get: (key) => getTask(dynamo, key),
    result: (task) => readResult(dynamo, task),
    keepCheckpoint: (key, fence, json) => putCheckpoint(dynamo, key, { fence, json }),
    checkpoint: (key) => readCheckpoint(dynamo, key),
    list: (owner, request) => listTasks(dynamo, owner, request),
    due: (window) => listDue(dynamo, window),
  };
}

export function dynamoSweepMark({ client, table }: DynamoTable): SweepMark {
  const Key = { pk: 'sweep', sk: 'mark' };
  return {
    async read() {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key, ConsistentRead: true }),
      );
      return typeof Item?.at === 'number' ? Item.at : 0;
    },
    async write(sweptUntilMs) {
      await client.send(new PutCommand({ TableName: table, Item: { ...Key, at: sweptUntilMs } }));
    },
  };
}

const open = '(#status = :working OR #status = :asking)';
const held = `${open} AND #fence = :fence AND #until > :zero`;

async function createTask(dynamo: DynamoTable, start: TaskStart): Promise<boolean> {
  const { hot, cold } = placeArguments(start.arguments);
  const put = new PutCommand({
    TableName: dynamo.table,
    Item: { ...hotKey(start), ...startAttributes(start, hot) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const [created] = await Promise.all([
    refusedAsUndefined(dynamo.client.send(put)),
    putCold(dynamo, start, argumentsKey(hot.d), cold),
  ]);
  return created !== undefined;
}

/** The claim is also the put, if the put was lost: it sets every fact of the start that is not there yet. */
function claimTask(dynamo: DynamoTable, request: ClaimRequest): Promise<Task | undefined> {
  const { start, nowMs, untilMs, token } = request;
  const { hot } = placeArguments(start.arguments);
  const {
    fence: _fence,
    until: _until,
    token: _token,
    seen: _seen,
    ...facts
  } = startAttributes(start, hot);
  const own = setting({ until: untilMs, token, seen: nowMs });
  const given = setting(facts, 'if absent');
  return updateHot(dynamo, start, {
    set: [...given.set, ...own.set, '#fence = if_not_exists(#fence, :zero) + :one'],
    names: { ...given.names, ...own.names },
    condition:
      'attribute_not_exists(pk) OR ' +
      '(#status = :working AND #args.#d = :digest AND #until <= :now)',
    values: {
      ...given.values,
      ...own.values,
      ':digest': start.arguments.digest,
      ':now': nowMs,
      ':one': 1,
    },
  });
}

function renewClaim(dynamo: DynamoTable, key: TaskKey, fence: number, untilMs: number) {
  const { set, names, values } = setting({ until: untilMs });
  return updateHot(dynamo, key, {
    set,
    names,
    condition: held,
    values: { ...values, ':fence': fence },
  });
}

function releaseTask(dynamo: DynamoTable, key: TaskKey, fence: number, { why, atMs }: Release) {
  const { set, names, values } = setting({ until: 0, seen: atMs });
  const counter = why === 'failed' ? '#fails = #fails + :one' : '#pauses = #pauses + :one';
  return updateHot(dynamo, key, {
    set: [...set, counter],
    names,
    condition: held,
    values: { ...values, ':fence': fence, ':one': 1 },
  });
}

async function recordEvent(dynamo: DynamoTable, key: TaskKey, writer: Writer, event: TaskEvent) {
  const attributes = await eventAttributes(dynamo, key, event);
  const { set, names, values } = setting({ ...attributes, seen: event.atMs });
  return updateHot(dynamo, key, {
    set: [...set, '#seq = #seq + :one'],
    names,
    condition: writer === 'anyone' ? open : held,
    values: { ...values, ':one': 1, ...(writer === 'anyone' ? {} : { ':fence': writer.fence }) },
  });
}

/** A large result is put before the end that names it. */
async function eventAttributes(
  dynamo: DynamoTable,
  key: TaskKey,
  event: TaskEvent,
): Promise<Partial<HotItem>> {
  if (event.kind === 'progressed') {
    return { pct: event.percent, note: event.message, until: event.claimUntilMs };
  }
  const placed = event.kind === 'completed' ? placeResult(event.result) : undefined;
  if (placed) await putCold(dynamo, key, resultKey(placed.hot.d), placed.cold);
  return { ...endAttributes(event, placed?.hot), until: 0 };
}

async function putCold(
  { client, table }: DynamoTable,
  key: TaskKey,
  sk: string,
  cold: PackedValue | undefined,
): Promise<void> {
  if (!cold) return;
  const Item = { pk: partitionOf(key), sk, ...cold, ttl: coldTtl(Date.now()) };
  await client.send(new PutCommand({ TableName: table, Item }));
}

async function getTask(dynamo: DynamoTable, key: TaskKey): Promise<Task | undefined> {
  const item = await getItem(dynamo, hotKey(key));
  return item && taskFromItem(item as unknown as HotItem);
}

async function getItem({ client, table }: DynamoTable, Key: { pk: string; sk: string }) {
  const { Item } = await client.send(
    new GetCommand({ TableName: table, Key, ConsistentRead: true }),
  );
  return Item;
}

async function readResult(dynamo: DynamoTable, task: Task): Promise<StoredValue> {
  if (task.state.status !== 'completed') throw new Error('Only a completed task has a result.');
  if (task.state.result) return task.state.result;
  const sk = resultKey(task.state.resultDigest);
  const item = await getItem(dynamo, { pk: partitionOf(task), sk });
  const value = item && unpackValue(item as unknown as PackedValue);
  if (!value) throw new Error('The result of a completed task is not stored.');
  return value;
}

interface Checkpoint {
  readonly fence: number;
  readonly json: string;
}

/** Its own item: it may be large, and rewriting it must not bill the hot item. */
async function putCheckpoint(dynamo: DynamoTable, key: TaskKey, { fence, json }: Checkpoint) {
  const put = new PutCommand({
    TableName: dynamo.table,
    Item: { pk: partitionOf(key), sk: 'state', fence, json, ttl: coldTtl(Date.now()) },
    ConditionExpression: 'attribute_not_exists(pk) OR fence <= :fence',
    ExpressionAttributeValues: { ':fence': fence },
  });
  return (await refusedAsUndefined(dynamo.client.send(put))) !== undefined;
}

async function readCheckpoint(dynamo: DynamoTable, key: TaskKey): Promise<string | undefined> {
  const item = await getItem(dynamo, { pk: partitionOf(key), sk: 'state' });
  return typeof item?.json === 'string' ? item.json : undefined;
}
