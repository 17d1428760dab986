import type { Log, ObjectStore, Ports } from '../ports.ts';
import { dynamoClient, sqsClient } from './clients.ts';
import { dynamoAuditStore } from './dynamo-audit-store.ts';
import { dynamoTaskStore } from './dynamo-task-store.ts';
import { dynamoWebhookStore } from './dynamo-webhook-store.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { newToken, newWebhookSecret, systemClock } from './process.ts';
import { readSettings, requireSettings } from './settings.ts';
import { sqsQueue } from './sqs-queue.ts';
import { webhookSender } from './webhook-sender.ts';

type NotifyPorts = Pick<
  Ports,
  | 'webhooks'
  | 'audit'
  | 'tasks'
  | 'deliveries'
  | 'outbound'
  | 'objects'
  | 'clock'
  | 'newToken'
  | 'newWebhookSecret'
  | 'settings'
  | 'log'
>;

/** What talks to strangers is given nothing else: no sessions, no tools, no server secret. */
export function notifyPorts({
  env,
  objects,
  log,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly objects: ObjectStore;
  readonly log: Log;
}): NotifyPorts {
  const names = requireSettings(env, ['TASKS_TABLE', 'WEBHOOKS_TABLE', 'WEBHOOKS_QUEUE_URL']);
  const client = dynamoClient();
  const webhooks = { client, table: names.WEBHOOKS_TABLE };
  return {
    webhooks: dynamoWebhookStore(webhooks),
    audit: dynamoAuditStore(webhooks),
    tasks: dynamoTaskStore({ client, table: names.TASKS_TABLE }),
    deliveries: sqsQueue({ client: sqsClient(), url: names.WEBHOOKS_QUEUE_URL }),
    outbound: webhookSender(guardedFetch({}), systemClock),
    objects,
    clock: systemClock,
    newToken,
    newWebhookSecret,
    settings: readSettings(env),
    log,
  };
}
