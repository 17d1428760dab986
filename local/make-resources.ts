import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceInUseException,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  queues,
  tables,
  type KeyDefinition,
  type QueueDefinition,
  type TableDefinition,
} from '../infra/definitions.ts';

/** The names that tell the functions where things are: the same ones infra/ sets on AWS. */
type ResourceNames = Record<
  | 'TASKS_TABLE'
  | 'SESSIONS_TABLE'
  | 'USERS_TABLE'
  | 'WORK_QUEUE_URL'
  | 'DEAD_WORK_QUEUE_URL'
  | 'RESUMES_QUEUE_URL'
  | 'DEAD_RESUMES_QUEUE_URL'
  | 'WEBHOOKS_TABLE'
  | 'WEBHOOKS_QUEUE_URL'
  | 'DEAD_WEBHOOKS_QUEUE_URL',
  string
>;

/** Make what infra/ would deploy, on engines that lack time to live and backups. Safe to repeat. */
export async function makeResources(
  dynamo: Pick<DynamoDBClient, 'send'>,
  sqs: Pick<SQSClient, 'send'>,
): Promise<ResourceNames> {
  const [tasks, sessions, users, webhooks, work, resumes, deliveries] = await Promise.all([
    makeTable(dynamo, 'boomerang-tasks', tables.tasks),
    makeTable(dynamo, 'boomerang-sessions', tables.sessions),
    makeTable(dynamo, 'boomerang-users', tables.users),
    makeTable(dynamo, 'boomerang-webhooks', tables.webhooks),
    makeQueue(sqs, 'boomerang-work', queues.work),
    makeQueue(sqs, 'boomerang-resumes', queues.resumes),
    makeQueue(sqs, 'boomerang-webhooks', queues.webhooks),
  ]);
  return {
    TASKS_TABLE: tasks,
    SESSIONS_TABLE: sessions,
    USERS_TABLE: users,
    WORK_QUEUE_URL: work.url,
    DEAD_WORK_QUEUE_URL: work.deadUrl,
    RESUMES_QUEUE_URL: resumes.url,
    DEAD_RESUMES_QUEUE_URL: resumes.deadUrl,
    WEBHOOKS_TABLE: webhooks,
    WEBHOOKS_QUEUE_URL: deliveries.url,
    DEAD_WEBHOOKS_QUEUE_URL: deliveries.deadUrl,
  };
}

export async function makeTable(
  client: Pick<DynamoDBClient, 'send'>,
  name: string,
  definition: TableDefinition,
): Promise<string> {
  try {
    await client.send(new CreateTableCommand(tableInput(name, definition)));
  } catch (thrown) {
    if (!(thrown instanceof ResourceInUseException)) throw thrown;
  }
  await untilActive(client, name);
  return name;
}

/** A table is made in the background: whoever writes before it is active is told that it does not exist. */
async function untilActive(client: Pick<DynamoDBClient, 'send'>, name: string): Promise<void> {
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, activePollMs));
  }
}

const activePollMs = 20;

function tableInput(name: string, definition: TableDefinition): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes } = definition;
  const schema = (hash: KeyDefinition, range: KeyDefinition) => [
    { AttributeName: hash.name, KeyType: 'HASH' as const },
    { AttributeName: range.name, KeyType: 'RANGE' as const },
  ];
  const keys = [partitionKey, sortKey, ...indexes.flatMap((i) => [i.partitionKey, i.sortKey])];
  const described = new Map(keys.map((key) => [key.name, key.type]));
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schema(partitionKey, sortKey),
    AttributeDefinitions: [...described].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: schema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  };
}

export async function makeQueue(
  client: Pick<SQSClient, 'send'>,
  name: string,
  definition: QueueDefinition,
): Promise<{ readonly url: string; readonly deadUrl: string }> {
  const MessageRetentionPeriod = String(definition.retentionS);
  const deadUrl = await createQueue(client, `${name}-dead`, {
    MessageRetentionPeriod,
    VisibilityTimeout: String(definition.deadVisibilityS),
  });
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadUrl, AttributeNames: ['QueueArn'] }),
  );
  const url = await createQueue(client, name, {
    MessageRetentionPeriod,
    VisibilityTimeout: String(definition.visibilityS),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: Attributes?.QueueArn,
      maxReceiveCount: definition.receivesMax,
    }),
  });
  return { url, deadUrl };
}

async function createQueue(
  client: Pick<SQSClient, 'send'>,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<string> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  if (!QueueUrl) throw new Error(`No URL for the queue ${QueueName}.`);
  return QueueUrl;
}
