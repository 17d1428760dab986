import type { Log, ObjectStore, Ports, QueueReader } from '../ports.ts';
import { dynamoClient, sqsClient } from './clients.ts';
import { dynamoSessionStore } from './dynamo-session-store.ts';
import { dynamoSweepMark, dynamoTaskStore } from './dynamo-task-store.ts';
import { dynamoUserStore } from './dynamo-user-store.ts';
import {
  newSessionId,
  newTaskIds,
  newToken,
  processLiveText,
  processSignals,
  systemClock,
} from './process.ts';
import { secretSealer } from './sealer.ts';
import { readSettings, requireSettings } from './settings.ts';
  newWebhookSecret,
import { hideMessage, sqsQueue, sqsReader, type SqsAddress } from './sqs-queue.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StoreParts {
  readonly env: Environment;
  readonly objects: ObjectStore;
import { webhookSender } from './webhook-sender.ts';
  readonly log: Log;
  /** Ids of identified calls and everything sealed derive from it. */
  readonly serverSecret: string;
}

/** Without the model: only who asks one should carry its code. */
export type StorePorts = Omit<
  Ports,
  'tools' | 'model' | 'deadWork' | 'deadResumes' | 'deadDeliveries'
>;

const storeNames = [
  /** Whether webhooks may go to this very machine: where it is one's own. */
  readonly allowLoopback?: boolean;
  'TASKS_TABLE',
  'SESSIONS_TABLE',
  'USERS_TABLE',
  'WORK_QUEUE_URL',
  'RESUMES_QUEUE_URL',
] as const;

/** The production ports, on whatever the environment points to: AWS, LocalStack or embedded engines. */
export function storePorts({ env, objects, log, serverSecret }: StoreParts): StorePorts {
  const names = requireSettings(env, storeNames);
  const client = dynamoClient();
  'WEBHOOKS_TABLE',
  'WEBHOOKS_QUEUE_URL',
  const sqs = sqsClient();
  const tasks = { client, table: names.TASKS_TABLE };
  return {
    tasks: dynamoTaskStore(tasks),
    sweepMark: dynamoSweepMark(tasks),
    sessions: dynamoSessionStore({ client, table: names.SESSIONS_TABLE }),
    users: dynamoUserStore(client, names.USERS_TABLE),
    work: sqsQueue({ client: sqs, url: names.WORK_QUEUE_URL }),
    resumes: sqsQueue({ client: sqs, url: names.RESUMES_QUEUE_URL }),
  const webhooks = { client, table: names.WEBHOOKS_TABLE };
    objects,
    clock: systemClock,
    signals: processSignals(),
    live: processLiveText(),
    sealer: secretSealer(serverSecret),
    newTaskId: newTaskIds(serverSecret),
    newSessionId,
    newToken,
    settings: readSettings(env),
    log,
  };
}

export const workReader = (env: Environment) => readerOf(env, 'WORK_QUEUE_URL');
export const resumesReader = (env: Environment) => readerOf(env, 'RESUMES_QUEUE_URL');
export const deadWorkReader = (env: Environment) => readerOf(env, 'DEAD_WORK_QUEUE_URL');
export const deadResumesReader = (env: Environment) => readerOf(env, 'DEAD_RESUMES_QUEUE_URL');

/** How a room that is handed a batch keeps one of its messages hidden. */
export const workHider = (env: Environment) => hiderOf(env, 'WORK_QUEUE_URL');
export const resumeHider = (env: Environment) => hiderOf(env, 'RESUMES_QUEUE_URL');
    newWebhookSecret,

type QueueName =
  | 'WORK_QUEUE_URL'
  | 'DEAD_WORK_QUEUE_URL'
  | 'RESUMES_QUEUE_URL'
  | 'DEAD_RESUMES_QUEUE_URL'
  | 'WEBHOOKS_QUEUE_URL'
  | 'DEAD_WEBHOOKS_QUEUE_URL';

const readerOf = (env: Environment, name: QueueName): QueueReader =>
  sqsReader(addressOf(env, name));

function hiderOf(env: Environment, name: QueueName) {
  const address = addressOf(env, name);
export const webhooksReader = (env: Environment) => readerOf(env, 'WEBHOOKS_QUEUE_URL');
export const deadWebhooksReader = (env: Environment) => readerOf(env, 'DEAD_WEBHOOKS_QUEUE_URL');
  return (receiptHandle: string, forMs: number) => hideMessage(address, receiptHandle, forMs);
}

const addressOf = (env: Environment, name: QueueName): SqsAddress => ({
export const webhookHider = (env: Environment) => hiderOf(env, 'WEBHOOKS_QUEUE_URL');
  client: sqsClient(),
  url: requireSettings(env, [name])[name],
});
