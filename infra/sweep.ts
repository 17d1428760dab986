import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';
import { webhooksEnvironment } from './webhooks-access.ts';

interface SweepProps {
  readonly storage: Pick<Storage, 'tasks' | 'sessions' | 'webhooks' | 'objects'>;
  readonly queues: Queues;
}

/** The safety net, each minute. It is never retried: the next minute repeats whatever one left undone. */
export class Sweep extends Construct {
  readonly room: RoomFunction;

  constructor(scope: Construct, id: string, props: SweepProps) {
    super(scope, id);
    const sweep = new RoomFunction(this, 'Function', {
      room: 'sweep',
      timeout: Duration.minutes(5),
      environment: environment(props),
    });
    sweep.configureAsyncInvoke({ retryAttempts: 0 });
    const everyMinute = new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
    });
    everyMinute.addTarget(new LambdaFunction(sweep, { retryAttempts: 0 }));
    grant(sweep, props);
    this.room = sweep;
  }
}

const environment = ({ storage, queues }: SweepProps) => ({
  TASKS_TABLE: storage.tasks.tableName,
  SESSIONS_TABLE: storage.sessions.tableName,
  OBJECTS_BUCKET: storage.objects.bucketName,
  WORK_QUEUE_URL: queues.work.live.queueUrl,
  DEAD_WORK_QUEUE_URL: queues.work.dead.queueUrl,
  RESUMES_QUEUE_URL: queues.resumes.live.queueUrl,
  DEAD_RESUMES_QUEUE_URL: queues.resumes.dead.queueUrl,
  ...webhooksEnvironment(storage, queues),
  DEAD_WEBHOOKS_QUEUE_URL: queues.webhooks.dead.queueUrl,
});

/**
 * It only sends: a task is ended by the worker and a session woken by resume. What it may change is its
 * own mark, and when it looks at a task again.
 */
function grant(sweep: RoomFunction, { storage, queues }: SweepProps): void {
  sweep.allow(
    storage.tasks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  );
  sweep.allow(`${storage.tasks.tableArn}/index/due`, 'dynamodb:Query');
  sweep.allow(storage.sessions.tableArn, 'dynamodb:Query');
  sweep.allow(storage.objects.arnForObjects('*'), 's3:GetObject');
  // When it looks at a delivery again, it writes down too.
  sweep.allow(
    storage.webhooks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:UpdateItem',
  );
  sweep.allow(`${storage.webhooks.tableArn}/index/due`, 'dynamodb:Query');
  for (const { live, dead } of [queues.work, queues.resumes, queues.webhooks]) {
    sweep.allow(live.queueArn, 'sqs:SendMessage');
    sweep.allow(
      dead.queueArn,
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:ChangeMessageVisibility',
    );
  }
}
