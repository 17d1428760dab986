import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { User, UserStore } from '../ports.ts';
import { refusedAsUndefined } from './dynamo-write.ts';

/** The demo's users: owner is the partition, so one owner's list is one query. */
export function dynamoUserStore(client: DynamoDBDocumentClient, table: string): UserStore {
  const exists = { ConditionExpression: 'attribute_exists(id)' };
  return {
    async put(owner, user) {
      await client.send(new PutCommand({ TableName: table, Item: { owner, ...user } }));
    },
    async get(owner, id) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: { owner, id }, ConsistentRead: true }),
      );
      return Item && userFromItem(Item);
    },
    async replace(owner, user) {
      const put = new PutCommand({ TableName: table, Item: { owner, ...user }, ...exists });
      return (await refusedAsUndefined(client.send(put))) !== undefined;
    },
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

const userFromItem = (item: Record<string, unknown>): User => ({
  id: String(item.id),
  name: String(item.name),
  email: String(item.email),
});
