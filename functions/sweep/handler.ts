import { dynamoClient, sqsClient } from '../adapters/clients.ts';
import { dynamoSessionStore } from '../adapters/dynamo-session-store.ts';
import { dynamoSweepMark, dynamoTaskStore } from '../adapters/dynamo-task-store.ts';
import { dynamoWebhookStore } from '../adapters/dynamo-webhook-store.ts';
import { lambdaLog } from '../adapters/log.ts';
import { systemClock } from '../adapters/process.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { requireSettings } from '../adapters/settings.ts';
import { sqsQueue, sqsReader } from '../adapters/sqs-queue.ts';
import { sweep } from './sweep.ts';

const names = requireSettings(process.env, [
  'TASKS_TABLE',
  'SESSIONS_TABLE',
  'OBJECTS_BUCKET',
  'WORK_QUEUE_URL',
  'DEAD_WORK_QUEUE_URL',
  'RESUMES_QUEUE_URL',
  'DEAD_RESUMES_QUEUE_URL',
  'WEBHOOKS_TABLE',
  'WEBHOOKS_QUEUE_URL',
  'DEAD_WEBHOOKS_QUEUE_URL',
]);
const client = dynamoClient();
const tasks = { client, table: names.TASKS_TABLE };
const sqs = sqsClient();

const ports = {
  tasks: dynamoTaskStore(tasks),
  sweepMark: dynamoSweepMark(tasks),
  sessions: dynamoSessionStore({ client, table: names.SESSIONS_TABLE }),
  objects: s3ObjectStore(names.OBJECTS_BUCKET),
  work: sqsQueue<unknown>({ client: sqs, url: names.WORK_QUEUE_URL }),
  deadWork: sqsReader({ client: sqs, url: names.DEAD_WORK_QUEUE_URL }),
  resumes: sqsQueue<unknown>({ client: sqs, url: names.RESUMES_QUEUE_URL }),
  deadResumes: sqsReader({ client: sqs, url: names.DEAD_RESUMES_QUEUE_URL }),
  webhooks: dynamoWebhookStore({ client, table: names.WEBHOOKS_TABLE }),
  deliveries: sqsQueue<unknown>({ client: sqs, url: names.WEBHOOKS_QUEUE_URL }),
  deadDeliveries: sqsReader({ client: sqs, url: names.DEAD_WEBHOOKS_QUEUE_URL }),
  clock: systemClock,
  log: lambdaLog('sweep'),
};

export const handler = () => sweep(ports);
