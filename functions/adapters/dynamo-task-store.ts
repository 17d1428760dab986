import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ClaimRequest, Release } from '../core/claim.ts';
import type { Task, TaskKey, TaskStart } from '../core/task.ts';
import type { SweepMark, TaskStore } from '../ports.ts';
import {
  argumentsKey,
  hotKey,
  itemVersion,
  placeArguments,
  startAttributes,
  type HotItem,
} from './dynamo-items.ts';
import { getItem } from './dynamo-read.ts';
import { keepLate, recordEvent } from './dynamo-task-events.ts';
import { taskFromItem } from './dynamo-task-item.ts';
import { listTasks, listDue } from './dynamo-task-lists.ts';
import {
  putAnswer,
  putCheckpoint,
  putCold,
  readAnswer,
  readArguments,
  readCheckpoint,
  readInitial,
  readLate,
  hasPart,
  readPart,
  readQuestion,
  readResult,
} from './dynamo-task-values.ts';
import { refusedAsUndefined, setting, updateHot, whileHeld, whileOpen } from './dynamo-write.ts';

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
    arguments: (task) => readArguments(dynamo, task),
    part: (task, number) => readPart(dynamo, task, number),
    hasPart: (task, digest) => hasPart(dynamo, task, digest),
    question: (task, name) => readQuestion(dynamo, task, name),
    keepAnswer: (key, name, answer) => putAnswer(dynamo, key, name, answer),
    answer: (key, name) => readAnswer(dynamo, key, name),
    initial: (task) => readInitial(dynamo, task),
    keepLate: (key, value) => keepLate(dynamo, key, value),
    late: (task) => readLate(dynamo, task),
    keepCheckpoint: (key, fence, json) => putCheckpoint(dynamo, key, { fence, json }),
    checkpoint: (key) => readCheckpoint(dynamo, key),
    list: (owner, request) => listTasks(dynamo, owner, request),
    due: (window) => listDue(dynamo, window),
    moveDue: (key, dueMs) => moveDue(dynamo, key, dueMs),
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
      await client.send(
        new PutCommand({ TableName: table, Item: { ...Key, v: itemVersion, at: sweptUntilMs } }),
      );
    },
  };
}

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
      '(#status = :working AND #args.#d = :digest AND #until <= :now AND attribute_not_exists(#off))',
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
    condition: whileHeld,
    values: { ...values, ':fence': fence },
  });
}

function releaseTask(dynamo: DynamoTable, key: TaskKey, fence: number, { why, atMs }: Release) {
  const { set, names, values } = setting({ until: 0, seen: atMs });
  const counter = why === 'failed' ? '#fails = #fails + :one' : '#pauses = #pauses + :one';
  return updateHot(dynamo, key, {
    set: [...set, counter],
    names,
    condition: whileHeld,
    values: { ...values, ':fence': fence, ':one': 1 },
  });
}

function moveDue(dynamo: DynamoTable, key: TaskKey, dueMs: number) {
  const { set, names, values } = setting({ due: dueMs });
  return updateHot(dynamo, key, {
    set,
    names,
    condition: `${whileOpen} AND #due < :new_due`,
    values,
  });
}

async function getTask(dynamo: DynamoTable, key: TaskKey): Promise<Task | undefined> {
  const item = await getItem<HotItem>(dynamo, hotKey(key));
  return item && taskFromItem(item);
}
