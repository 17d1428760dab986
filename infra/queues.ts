import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tlsOnly } from './tls-only.ts';
import { queues, type QueueDefinition } from './definitions.ts';

/** A queue never stands alone: what it gives up on goes to its dead letters, where the sweep looks. */
interface QueuePair {
  readonly live: Queue;
  readonly dead: Queue;
}

/** The messages between the rooms. A message is the outbox, so each is kept as long as SQS keeps any. */
export class Queues extends Construct {
  readonly work: QueuePair;
  readonly resumes: QueuePair;
  readonly webhooks: QueuePair;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.work = pair(this, 'Work', queues.work);
    this.resumes = pair(this, 'Resumes', queues.resumes);
    this.webhooks = pair(this, 'Webhooks', queues.webhooks);
  }
}

const queueActions = [
  'sqs:SendMessage',
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueAttributes',
];

function pair(scope: Construct, id: string, definition: QueueDefinition): QueuePair {
  const common: QueueProps = {
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.seconds(definition.retentionS),
  };
  const dead = new Queue(scope, `Dead${id}`, {
    ...common,
    visibilityTimeout: Duration.seconds(definition.deadVisibilityS),
  });
  const live = new Queue(scope, id, {
    ...common,
    visibilityTimeout: Duration.seconds(definition.visibilityS),
    deadLetterQueue: { queue: dead, maxReceiveCount: definition.receivesMax },
  });
  for (const queue of [live, dead]) {
    queue.addToResourcePolicy(tlsOnly([queue.queueArn], queueActions));
  }
  return { live, dead };
}
