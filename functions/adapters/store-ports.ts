import type { Log, ObjectStore, Ports } from '../ports.ts';
import { dynamoClient, sqsClient } from './clients.ts';
import { dynamoSweepMark, dynamoTaskStore } from './dynamo-task-store.ts';
import { dynamoUserStore } from './dynamo-user-store.ts';
import { newTaskIds, newToken, processSignals, systemClock } from './process.ts';
import { readSettings, requireSettings } from './settings.ts';
import { hideMessage, sqsQueue, sqsReader } from './sqs-queue.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StoreParts {
  readonly env: Environment;
  readonly objects: ObjectStore;
  readonly log: Log;
  /** Only who starts calls with an identity needs it. */
  readonly serverSecret?: string;
}

export type StorePorts = Omit<Ports, 'tools' | 'deadWork'>;

/** The production ports, on whatever the environment points to: AWS, LocalStack or embedded engines. */
export function storePorts({ env, objects, log, serverSecret }: StoreParts): StorePorts {
  const names = requireSettings(env, ['TASKS_TABLE', 'USERS_TABLE', 'WORK_QUEUE_URL']);
  const dynamo = dynamoClient();
  const tasks = { client: dynamo, table: names.TASKS_TABLE };
  return {
    tasks: dynamoTaskStore(tasks),
    sweepMark: dynamoSweepMark(tasks),
    users: dynamoUserStore(dynamo, names.USERS_TABLE),
    work: sqsQueue({ client: sqsClient(), url: names.WORK_QUEUE_URL }),
    objects,
    clock: systemClock,
    signals: processSignals(),
    newTaskId: newTaskIds(serverSecret),
    newToken,
    settings: readSettings(env),
    log,
  };
}

export function deadWorkReader(env: Environment): Ports['deadWork'] {
  const { DEAD_WORK_QUEUE_URL: url } = requireSettings(env, ['DEAD_WORK_QUEUE_URL']);
  return sqsReader({ client: sqsClient(), url });
}

/** How a room that is handed a batch keeps one of its messages hidden. */
export function workHider(env: Environment) {
  const { WORK_QUEUE_URL: url } = requireSettings(env, ['WORK_QUEUE_URL']);
  const address = { client: sqsClient(), url };
  return (receiptHandle: string, forMs: number) => hideMessage(address, receiptHandle, forMs);
}
