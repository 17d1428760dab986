import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { accessEnvironment } from './access-settings.ts';
import { connectCi } from './ci-access.ts';
import { workerTimeoutS } from './definitions.ts';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage.ts';
import { allowUsers } from './users-access.ts';
import { allowTelling, webhooksEnvironment } from './webhooks-access.ts';

interface WorkerProps {
  readonly storage: Storage;
  readonly queues: Queues;
  readonly secrets: Secrets;
  /** Where whatever ends a task from outside is told to call. */
  readonly publicUrl: string;
}

/**
 * How many tasks run at once: half of what an account has by default, so that a burst waits in the queue and
 * the other rooms still answer. Ends come through the same queue, so it must not be few either.
 */
const concurrencyMax = 500;

/** Runs one task per message: a batch of one, so a slow tool never delays another or dies with it. */
export class Worker extends Construct {
  readonly room: RoomFunction;

  constructor(scope: Construct, id: string, props: WorkerProps) {
    super(scope, id);
    const worker = new RoomFunction(this, 'Function', {
      room: 'worker',
      timeout: Duration.seconds(workerTimeoutS),
      environment: { ...environment(props), ...namedAddress(this) },
    });
    // The event source itself grants receiving, deleting and hiding the messages.
    worker.addEventSource(
      new SqsEventSource(props.queues.work.live, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrencyMax,
      }),
    );
    grant(worker, props);
    connectCi(worker, 'worker');
    this.room = worker;
  }
}

const environment = ({ storage, queues, secrets, publicUrl }: WorkerProps) => ({
  TASKS_TABLE: storage.tasks.tableName,
  SESSIONS_TABLE: storage.sessions.tableName,
  USERS_TABLE: storage.users.tableName,
  OBJECTS_BUCKET: storage.objects.bucketName,
  WORK_QUEUE_URL: queues.work.live.queueUrl,
  RESUMES_QUEUE_URL: queues.resumes.live.queueUrl,
  SERVER_SECRET_ARN: secrets.server.secretArn,
  ...webhooksEnvironment(storage, queues),
  PUBLIC_URL: publicUrl,
});

/** Where the deployer names an address, callbacks go there, and the tokens of runs are for it. */
function namedAddress(scope: Construct): { readonly PUBLIC_URL?: string } {
  const { PUBLIC_URL } = accessEnvironment(scope);
  return PUBLIC_URL === undefined ? {} : { PUBLIC_URL };
}

/** It rings sessions and never reads them: what waits for them is in the task itself. */
function grant(worker: RoomFunction, { storage, queues, secrets }: WorkerProps): void {
  for (const { live } of [queues.work, queues.resumes])
    worker.allow(live.queueArn, 'sqs:SendMessage');
  worker.allow(
    storage.tasks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  );
  allowTelling(worker, storage, queues);
  // What became of a report of a CI system is an owner's to know.
  worker.allow(storage.webhooks.tableArn, 'dynamodb:PutItem');
  allowUsers(worker, storage);
  worker.allow(storage.objects.arnForObjects('*'), 's3:GetObject', 's3:PutObject');
  worker.allow(secrets.server.secretArn, 'secretsmanager:GetSecretValue');
}
