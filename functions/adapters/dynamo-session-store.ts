import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SessionKey, Snapshot } from '../core/session.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { TurnRecord } from '../core/turn.ts';
import type { ReplyAdding, SessionStore, TurnTaking } from '../ports.ts';
import { packValue } from './dynamo-items.ts';
import { getItem, queryItems, type ItemKey, type Stretch } from './dynamo-read.ts';
import {
  inputFromItem,
  inputNameItem,
  inputNameKey,
  inputsOf,
  itemFromInput,
  itemFromSession,
  itemFromTurn,
  sessionFromItem,
  sessionItemKey,
  snapshotAttributes,
  turnFromItem,
  turnItemKey,
  turnsOf,
  type InputItem,
  type InputNameItem,
  type SessionItem,
  type TurnItem,
} from './dynamo-session-items.ts';
import { listSessions } from './dynamo-session-list.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { putIfFree, setting, updateItem } from './dynamo-write.ts';

/** Sessions in DynamoDB: turns and inputs are items of their own, so no write grows with the history. */
export function dynamoSessionStore(dynamo: DynamoTable): SessionStore {
  return {
    create: (session) => putIfFree(dynamo, itemFromSession(session)),
    async get(key) {
      const item = await getItem<SessionItem>(dynamo, sessionItemKey(key));
      return item && sessionFromItem(item);
    },
    list: (owner, page) => listSessions(dynamo, owner, page),
    keepSnapshot: (key, snapshot) => keepSnapshot(dynamo, key, snapshot),

    putTurn: (key, turn) => putIfFree(dynamo, itemFromTurn(key, turn)),
    takeTurn: (key, number, taking) => takeTurn(dynamo, turnItemKey(key, number), taking),
    renewTurn: (key, number, fence, untilMs) =>
      renewTurn(dynamo, turnItemKey(key, number), fence, untilMs),
    addReply: (key, number, adding) => addReply(dynamo, turnItemKey(key, number), adding),
    addQuick: (key, number, adding) => addQuick(dynamo, turnItemKey(key, number), adding),
    async getTurn(key, number) {
      const item = await getItem<TurnItem>(dynamo, turnItemKey(key, number));
      return item && turnFromItem(item);
    },
    lastTurns: async (key, limit) =>
      (await lastOf<TurnItem>(dynamo, turnsOf(key), limit)).map(turnFromItem),
    turnsAfter: async (key, number, limit) =>
      (await queryItems<TurnItem>(dynamo, turnsOf(key, number), { limit })).map(turnFromItem),

    putInput: (key, input) => putIfFree(dynamo, itemFromInput(key, input)),
    async nameInput(key, inputId, number) {
      const Item = inputNameItem(key, inputId, number);
      await dynamo.client.send(new PutCommand({ TableName: dynamo.table, Item }));
    },
    namedInput: async (key, inputId) =>
      (await getItem<InputNameItem>(dynamo, inputNameKey(key, inputId)))?.n,
    lastInputs: async (key, limit) =>
      (await lastOf<InputItem>(dynamo, inputsOf(key), limit)).map(inputFromItem),
    inputsAfter: async (key, number, limit) =>
      (await queryItems<InputItem>(dynamo, inputsOf(key, number), { limit })).map(inputFromItem),
  };
}

/** The last ones, oldest of them first. */
async function lastOf<Item>(dynamo: DynamoTable, stretch: Stretch, limit: number) {
  return (await queryItems<Item>(dynamo, stretch, { limit, newestFirst: true })).toReversed();
}

async function keepSnapshot(dynamo: DynamoTable, key: SessionKey, snapshot: Snapshot) {
  const { set, names, values } = setting(snapshotAttributes(snapshot));
  const kept = await updateItem(dynamo, sessionItemKey(key), {
    set,
    names,
    condition: 'attribute_exists(pk) AND (attribute_not_exists(#at) OR #at < :new_at)',
    values,
  });
  return kept !== undefined;
}

function takeTurn(dynamo: DynamoTable, key: ItemKey, { fence, nowMs, claim }: TurnTaking) {
  return updateTurn(dynamo, key, {
    attributes: { f: fence + 1, u: claim.untilMs, t: claim.token },
    condition: 'f = :fence AND u <= :now AND (attribute_not_exists(r) OR attribute_not_exists(q))',
    values: { ':fence': fence, ':now': nowMs },
  });
}

async function renewTurn(dynamo: DynamoTable, key: ItemKey, fence: number, untilMs: number) {
  const renewed = await updateTurn(dynamo, key, {
    attributes: { u: untilMs },
    condition: 'f = :fence AND u > :zero',
    values: { ':fence': fence, ':zero': 0 },
  });
  return renewed !== undefined;
}

function addReply(dynamo: DynamoTable, key: ItemKey, { fence, reply, untilMs }: ReplyAdding) {
  return updateTurn(dynamo, key, {
    attributes: { r: packValue(reply), u: untilMs },
    condition: 'f = :fence AND attribute_not_exists(r)',
    values: { ':fence': fence },
  });
}

interface QuickAdding {
  readonly fence: number;
  readonly quick: StoredValue;
}

function addQuick(dynamo: DynamoTable, key: ItemKey, { fence, quick }: QuickAdding) {
  return updateTurn(dynamo, key, {
    attributes: { q: packValue(quick), u: 0 },
    condition: 'f = :fence AND attribute_exists(r) AND attribute_not_exists(q)',
    values: { ':fence': fence },
  });
}

interface TurnChange {
  readonly attributes: Partial<TurnItem>;
  readonly condition: string;
  readonly values: Record<string, unknown>;
}

async function updateTurn(
  dynamo: DynamoTable,
  key: ItemKey,
  change: TurnChange,
): Promise<TurnRecord | undefined> {
  const { set, names, values } = setting(change.attributes);
  const item = await updateItem(dynamo, key, {
    set,
    names,
    condition: change.condition,
    values: { ...values, ...change.values },
  });
  return item && turnFromItem(item as unknown as TurnItem);
}
