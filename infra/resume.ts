import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { connectCi } from './ci-access.ts';
import { resumeTimeoutS } from './definitions.ts';
import { allowModel, modelChoice, modelEnvironment } from './model-access.ts';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage.ts';
import { allowUsers } from './users-access.ts';
import { allowTelling, webhooksEnvironment } from './webhooks-access.ts';

interface ResumeProps {
  readonly storage: Storage;
  readonly queues: Queues;
  readonly secrets: Secrets;
}

/** How many sessions talk to the model at once: its rate limit is met in the queue, not in errors. */
const concurrencyMax = 50;
/** It mostly waits for the model, and waiting is billed by memory. */
const memoryMb = 256;

/** Wakes one session per ring: a batch of one, so a long answer never delays another session. */
export class Resume extends Construct {
  constructor(scope: Construct, id: string, props: ResumeProps) {
    super(scope, id);
    const model = modelChoice(this);
    const resume = new RoomFunction(this, 'Function', {
      room: 'resume',
      timeout: Duration.seconds(resumeTimeoutS),
      memoryMb,
      environment: { ...environment(props), ...modelEnvironment(model) },
    });
    // The event source itself grants receiving, deleting and hiding the rings.
    resume.addEventSource(
      new SqsEventSource(props.queues.resumes.live, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrencyMax,
      }),
    );
    grant(resume, props);
    connectCi(resume, 'starter');
    allowModel(resume, model);
  }
}

const environment = ({ storage, queues, secrets }: ResumeProps) => ({
  TASKS_TABLE: storage.tasks.tableName,
  SESSIONS_TABLE: storage.sessions.tableName,
  USERS_TABLE: storage.users.tableName,
  OBJECTS_BUCKET: storage.objects.bucketName,
  WORK_QUEUE_URL: queues.work.live.queueUrl,
  RESUMES_QUEUE_URL: queues.resumes.live.queueUrl,
  SERVER_SECRET_ARN: secrets.server.secretArn,
  ...webhooksEnvironment(storage, queues),
});

function grant(resume: RoomFunction, { storage, queues, secrets }: ResumeProps): void {
  const change = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
  resume.allow(storage.sessions.tableArn, ...change, 'dynamodb:Query');
  // The quick tools that list tasks read them by their index.
  resume.allow(storage.tasks.tableArn, ...change, 'dynamodb:BatchGetItem');
  resume.allow(`${storage.tasks.tableArn}/index/newest`, 'dynamodb:Query');
  allowTelling(resume, storage, queues);
  allowUsers(resume, storage);
  resume.allow(storage.objects.arnForObjects('*'), 's3:GetObject', 's3:PutObject');
  for (const { live } of [queues.work, queues.resumes])
    resume.allow(live.queueArn, 'sqs:SendMessage');
  resume.allow(secrets.server.secretArn, 'secretsmanager:GetSecretValue');
}
