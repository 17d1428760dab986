import type { Queues } from './queues.ts';
import type { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';

/** Whoever ends a task or a turn asks who listens and, late, who was told; it sends a message to each. */
export function allowTelling(
  room: RoomFunction,
  { webhooks }: Pick<Storage, 'webhooks'>,
  queues: Pick<Queues, 'webhooks'>,
): void {
  room.allow(webhooks.tableArn, 'dynamodb:GetItem', 'dynamodb:Query');
  room.allow(queues.webhooks.live.queueArn, 'sqs:SendMessage');
}

export const webhooksEnvironment = (
  { webhooks }: Pick<Storage, 'webhooks'>,
  queues: Pick<Queues, 'webhooks'>,
) => ({
  WEBHOOKS_TABLE: webhooks.tableName,
  WEBHOOKS_QUEUE_URL: queues.webhooks.live.queueUrl,
});
