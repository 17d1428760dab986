import type { Log, ObjectStore, Ports, QueueReader } from '../ports.ts';
import { dynamoClient, sqsClient } from './clients.ts';
import { dynamoAuditStore } from './dynamo-audit-store.ts';
import { dynamoCiStore } from './dynamo-ci-store.ts';
import { dynamoSessionStore } from './dynamo-session-store.ts';
import { dynamoSweepMark, dynamoTaskStore } from './dynamo-task-store.ts';
import { dynamoUserStore } from './dynamo-user-store.ts';
import { dynamoWebhookStore } from './dynamo-webhook-store.ts';
import { cachedEndpoints } from './endpoint-cache.ts';
import { readGitHub } from './github.ts';
import { guardedFetch } from './guarded-fetch.ts';
import {
  newSessionId,
  newTaskIds,
  newToken,
  newWebhookSecret,
  processLiveText,
  processSignals,
  systemClock,
} from './process.ts';
import { secretSealer } from './sealer.ts';
import { readSettings, requireSettings } from './settings.ts';
import { hideMessage, sqsQueue, sqsReader, type SqsAddress } from './sqs-queue.ts';
import { webhookSender } from './webhook-sender.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface StoreParts {
  readonly env: Environment;
  readonly objects: ObjectStore;
  readonly log: Log;
  /** Ids of identified calls and everything sealed derive from it. */
  readonly serverSecret: string;
  /** Whether webhooks may go to this very machine: where it is one's own. */
  readonly allowLoopback?: boolean;
}

/** Without the model: only who asks one should carry its code. */
type StorePorts = Omit<Ports, 'tools' | 'model' | 'deadWork' | 'deadResumes' | 'deadDeliveries'>;

const storeNames = [
  'TASKS_TABLE',
  'SESSIONS_TABLE',
  'USERS_TABLE',
  'WORK_QUEUE_URL',
  'RESUMES_QUEUE_URL',
  'WEBHOOKS_TABLE',
  'WEBHOOKS_QUEUE_URL',
] as const;

/** The production ports, on whatever the environment points to: AWS, LocalStack or embedded engines. */
export function storePorts(parts: StoreParts): StorePorts {
  const { env, objects, log, serverSecret } = parts;
  const names = requireSettings(env, storeNames);
  const client = dynamoClient();
  const sqs = sqsClient();
  const tasks = { client, table: names.TASKS_TABLE };
  const webhooks = { client, table: names.WEBHOOKS_TABLE };
  return {
    tasks: dynamoTaskStore(tasks),
    sweepMark: dynamoSweepMark(tasks),
    sessions: dynamoSessionStore({ client, table: names.SESSIONS_TABLE }),
    users: dynamoUserStore(client, names.USERS_TABLE),
    work: sqsQueue({ client: sqs, url: names.WORK_QUEUE_URL }),
    resumes: sqsQueue({ client: sqs, url: names.RESUMES_QUEUE_URL }),
    webhooks: cachedEndpoints(dynamoWebhookStore(webhooks), systemClock),
    audit: dynamoAuditStore(webhooks),
    deliveries: sqsQueue({ client: sqs, url: names.WEBHOOKS_QUEUE_URL }),
    outbound: webhookSender(guardedFetch(parts), systemClock),
    ci: dynamoCiStore(tasks),
    github: readGitHub(env),
    objects,
    clock: systemClock,
    signals: processSignals(),
    live: processLiveText(),
    sealer: secretSealer(serverSecret),
    newTaskId: newTaskIds(serverSecret),
    newSessionId,
    newToken,
    newWebhookSecret,
    settings: readSettings(env),
    log,
  };
}

export const workReader = (env: Environment, hiddenMs: number) =>
  readerOf(env, 'WORK_QUEUE_URL', hiddenMs);
export const resumesReader = (env: Environment, hiddenMs: number) =>
  readerOf(env, 'RESUMES_QUEUE_URL', hiddenMs);
export const deadWorkReader = (env: Environment) => readerOf(env, 'DEAD_WORK_QUEUE_URL');
export const deadResumesReader = (env: Environment) => readerOf(env, 'DEAD_RESUMES_QUEUE_URL');
export const webhooksReader = (env: Environment, hiddenMs: number) =>
  readerOf(env, 'WEBHOOKS_QUEUE_URL', hiddenMs);
export const deadWebhooksReader = (env: Environment) => readerOf(env, 'DEAD_WEBHOOKS_QUEUE_URL');

/** How a room that is handed a batch keeps one of its messages hidden. */
export const workHider = (env: Environment) => hiderOf(env, 'WORK_QUEUE_URL');
export const resumeHider = (env: Environment) => hiderOf(env, 'RESUMES_QUEUE_URL');
export const webhookHider = (env: Environment) => hiderOf(env, 'WEBHOOKS_QUEUE_URL');

type QueueName =
  | 'WORK_QUEUE_URL'
  | 'DEAD_WORK_QUEUE_URL'
  | 'RESUMES_QUEUE_URL'
  | 'DEAD_RESUMES_QUEUE_URL'
  | 'WEBHOOKS_QUEUE_URL'
  | 'DEAD_WEBHOOKS_QUEUE_URL';

const readerOf = (env: Environment, name: QueueName, hiddenMs?: number): QueueReader =>
  sqsReader(addressOf(env, name), hiddenMs);

function hiderOf(env: Environment, name: QueueName) {
  const address = addressOf(env, name);
  return (receiptHandle: string, forMs: number) => hideMessage(address, receiptHandle, forMs);
}

const addressOf = (env: Environment, name: QueueName): SqsAddress => ({
  client: sqsClient(),
  url: requireSettings(env, [name])[name],
});
