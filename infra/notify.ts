import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { contextText } from './context-text.ts';
import { notifyTimeoutS } from './definitions.ts';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';

interface NotifyProps {
  readonly storage: Pick<Storage, 'tasks' | 'webhooks' | 'objects'>;
  readonly queues: Queues;
}

/** Each receiver may hold five of them for fifteen seconds, so several dead ones leave room for the rest. */
const concurrencyMax = 100;
/** It mostly waits for receivers, and waiting is billed by memory. */
const memoryMb = 256;

/** Delivers one webhook per message. What talks to strangers holds no server secret and runs no tool. */
export class Notify extends Construct {
  readonly room: RoomFunction;

  constructor(scope: Construct, id: string, props: NotifyProps) {
    super(scope, id);
    const notify = new RoomFunction(this, 'Function', {
      room: 'notify',
      timeout: Duration.seconds(notifyTimeoutS),
      memoryMb,
      environment: { ...environment(props), ...schedule(this) },
    });
    // The event source itself grants receiving, deleting and hiding the messages.
    notify.addEventSource(
      new SqsEventSource(props.queues.webhooks.live, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: concurrencyMax,
      }),
    );
    grant(notify, props);
    this.room = notify;
  }
}

const environment = ({ storage, queues }: NotifyProps) => ({
  TASKS_TABLE: storage.tasks.tableName,
  WEBHOOKS_TABLE: storage.webhooks.tableName,
  OBJECTS_BUCKET: storage.objects.bucketName,
  WEBHOOKS_QUEUE_URL: queues.webhooks.live.queueUrl,
});

/** `-c webhookScheduleS=0,5,300`: other waits before each attempt. */
function schedule(scope: Construct): Readonly<Record<string, string>> {
  const must = 'be seconds with commas between them';
  const text = contextText(scope, 'webhookScheduleS', must, /^\d+(\.\d+)?(,\d+(\.\d+)?)*$/);
  return text === undefined ? {} : { WEBHOOK_SCHEDULE_S: text };
}

/** Of tasks it reads results, for whoever asked for them in full. */
function grant(notify: RoomFunction, { storage, queues }: NotifyProps): void {
  notify.allow(
    storage.webhooks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  );
  notify.allow(storage.tasks.tableArn, 'dynamodb:GetItem');
  notify.allow(storage.objects.arnForObjects('*'), 's3:GetObject');
  notify.allow(queues.webhooks.live.queueArn, 'sqs:SendMessage');
}
