import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { Owner } from '../core/ids.ts';
import type { User, UserFields, UserStore } from '../ports.ts';
import { refusedAsUndefined, setting } from './dynamo-write.ts';

/** So that a later form of a user can tell this one apart. */
const userVersion = 1;

const exists = { ConditionExpression: 'attribute_exists(id)' };

interface UserTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** The demo's users: owner is the partition, so one owner's list is one query. */
export function dynamoUserStore(client: DynamoDBDocumentClient, table: string): UserStore {
  const users = { client, table };
  return {
    create: (owner, user) => createUser(users, owner, user),
    get: (owner, id) => getUser(users, owner, id),
    change: (owner, id, fields) => changeUser(users, owner, id, fields),
    async remove(owner, id) {
      const gone = new DeleteCommand({ TableName: table, Key: { owner, id }, ...exists });
      return (await refusedAsUndefined(client.send(gone))) !== undefined;
    },
    async list(owner, { limit, cursor }) {
      const found = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
          Limit: limit,
          ConsistentRead: true,
          ExclusiveStartKey: cursor === undefined ? undefined : { owner, id: cursor },
        }),
      );
      const items = (found.Items ?? []).map(userFromItem);
      const last = found.LastEvaluatedKey?.id;
      return typeof last === 'string' ? { items, cursor: last } : { items };
    },
  };
}

async function createUser({ client, table }: UserTable, owner: Owner, user: User): Promise<User> {
  const put = new PutCommand({
    TableName: table,
    Item: { owner, v: userVersion, ...user },
    ConditionExpression: 'attribute_not_exists(id)',
  });
  if (await refusedAsUndefined(client.send(put))) return user;
  const found = await getUser({ client, table }, owner, user.id);
  if (!found) throw new Error('A user was there and is gone: try again.');
  return found;
}

async function getUser({ client, table }: UserTable, owner: Owner, id: string) {
  const { Item } = await client.send(
    new GetCommand({ TableName: table, Key: { owner, id }, ConsistentRead: true }),
  );
  return Item && userFromItem(Item);
}

/** One write of the given fields only: a change of the other one at the same time is kept. */
async function changeUser(
  { client, table }: UserTable,
  owner: Owner,
  id: string,
  { name, email }: UserFields,
): Promise<User | undefined> {
  const { set, names, values } = setting({
    v: userVersion,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  });
  const update = new UpdateCommand({
    TableName: table,
    Key: { owner, id },
    UpdateExpression: `SET ${set.join(', ')}`,
    ...exists,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
  });
  const changed = (await refusedAsUndefined(client.send(update)))?.Attributes;
  return changed && userFromItem(changed);
}

const userFromItem = (item: Record<string, unknown>): User => ({
  id: String(item.id),
  name: String(item.name),
  email: String(item.email),
});
