import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { auditPlaceOf, isAuditPlace, type AuditEntry } from '../core/audit.ts';
import type { Owner } from '../core/ids.ts';
import { auditRetentionMs } from '../core/webhook-limits.ts';
import type { AuditStore } from '../ports.ts';
import { queryItems } from './dynamo-read.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { epochS, webhookItemVersion } from './dynamo-webhook-items.ts';

interface AuditItem {
  readonly sk: string;
  readonly row: AuditEntry;
}

const partitionOf = (owner: Owner, about?: string) =>
  about === undefined ? `${owner}#audit` : `${owner}#audit#${about}`;

/** Small items of their own, so that a row costs one write and nobody waits for another's. */
export const dynamoAuditStore = (dynamo: DynamoTable): AuditStore => ({
  async add(owner, row, about) {
    const Item = {
      pk: partitionOf(owner, about),
      sk: auditPlaceOf(row),
      v: webhookItemVersion,
      row,
      ttl: epochS(row.atMs + auditRetentionMs),
    };
    await dynamo.client.send(new PutCommand({ TableName: dynamo.table, Item }));
  },
  async list(owner, { limit, cursor }, about) {
    if (cursor !== undefined && !isAuditPlace(cursor)) return { items: [] };
    // Both ends of a stretch belong to it, so the place where the last page ended comes first again.
    const found = await queryItems<AuditItem>(
      dynamo,
      { pk: partitionOf(owner, about), from: '0', to: cursor ?? '9~' },
      { limit: limit + 2, newestFirst: true },
    );
    const rows = found.filter(({ sk }) => sk !== cursor);
    const page = rows.slice(0, limit);
    const items = page.map(({ row }) => row);
    const last = page.at(-1);
    return last && rows.length > limit ? { items, cursor: last.sk } : { items };
  },
});
