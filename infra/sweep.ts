import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';

export interface SweepProps {
  readonly storage: Pick<Storage, 'tasks'>;
  readonly queues: Queues;
}

/** The safety net, each minute. It is never retried: the next minute repeats whatever one left undone. */
export class Sweep extends Construct {
  constructor(scope: Construct, id: string, props: SweepProps) {
    super(scope, id);
    const { storage, queues } = props;
    const sweep = new RoomFunction(this, 'Function', {
      room: 'sweep',
      timeout: Duration.minutes(5),
      environment: {
        TASKS_TABLE: storage.tasks.tableName,
        WORK_QUEUE_URL: queues.work.live.queueUrl,
        DEAD_WORK_QUEUE_URL: queues.work.dead.queueUrl,
      },
    });
    sweep.configureAsyncInvoke({ retryAttempts: 0 });
    const everyMinute = new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
    });
    everyMinute.addTarget(new LambdaFunction(sweep, { retryAttempts: 0 }));
    grant(sweep, props);
  }
}

/** It only sends: a task is ended by the worker, so the one item the sweep may put is its own mark. */
function grant(sweep: RoomFunction, { storage, queues }: SweepProps): void {
  sweep.allow(storage.tasks.tableArn, 'dynamodb:GetItem', 'dynamodb:PutItem');
  sweep.allow(`${storage.tasks.tableArn}/index/due`, 'dynamodb:Query');
  sweep.allow(queues.work.live.queueArn, 'sqs:SendMessage');
  sweep.allow(
    queues.work.dead.queueArn,
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:ChangeMessageVisibility',
  );
}
