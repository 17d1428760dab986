import { dynamoClient, sqsClient } from '../adapters/clients.ts';
import { dynamoSweepMark, dynamoTaskStore } from '../adapters/dynamo-task-store.ts';
import { lambdaLog } from '../adapters/log.ts';
import { systemClock } from '../adapters/process.ts';
import { requireSettings } from '../adapters/settings.ts';
import { sqsQueue, sqsReader } from '../adapters/sqs-queue.ts';
import type { WorkMessage } from '../core/work-message.ts';
import { sweep } from './sweep.ts';

const names = requireSettings(process.env, [
  'TASKS_TABLE',
  'WORK_QUEUE_URL',
  'DEAD_WORK_QUEUE_URL',
]);
const table = { client: dynamoClient(), table: names.TASKS_TABLE };
const client = sqsClient();

const ports = {
  tasks: dynamoTaskStore(table),
  sweepMark: dynamoSweepMark(table),
  work: sqsQueue<WorkMessage>({ client, url: names.WORK_QUEUE_URL }),
  deadWork: sqsReader({ client, url: names.DEAD_WORK_QUEUE_URL }),
  clock: systemClock,
  log: lambdaLog('sweep'),
};

export const handler = () => sweep(ports);
