import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readSessionCursor, sessionCursorText } from '../core/cursor.ts';
import type { Owner } from '../core/ids.ts';
import type { Session } from '../core/session.ts';
import type { Page, PageRequest } from '../ports.ts';
import { getItems } from './dynamo-read.ts';
import {
  keyFromSessionPartition,
  sessionFromItem,
  sessionItemKey,
  type SessionItem,
} from './dynamo-session-items.ts';
import type { DynamoTable } from './dynamo-task-store.ts';

/** The index knows only keys; the sessions themselves are read consistently, in its order. */
export async function listSessions(
  dynamo: DynamoTable,
  owner: Owner,
  { limit, cursor }: PageRequest,
): Promise<Page<Session>> {
  const after = cursor === undefined ? undefined : readSessionCursor(cursor);
  // A cursor that was never given out names no place, so nothing comes after it.
  if (cursor !== undefined && !after) return { items: [] };
  const found = await dynamo.client.send(
    new QueryCommand({
      TableName: dynamo.table,
      IndexName: 'newest',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': owner },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: after && {
        ...sessionItemKey({ owner, sessionId: after.sessionId }),
        owner,
        made: after.createdAtMs,
      },
    }),
  );
  const keys = (found.Items ?? []).map((item) => sessionItemKey(keyOf(item)));
  const items = (await getItems<SessionItem>(dynamo, keys)).map(sessionFromItem);
  const last = found.LastEvaluatedKey;
  if (!last) return { items };
  const { sessionId } = keyOf(last);
  return { items, cursor: sessionCursorText({ createdAtMs: Number(last.made), sessionId }) };
}

const keyOf = ({ pk }: Record<string, unknown>) => keyFromSessionPartition(String(pk));
