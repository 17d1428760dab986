import { Duration } from 'aws-cdk-lib';
import { FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { accessEnvironment } from './access-settings.ts';
import { connectCi } from './ci-access.ts';
import type { Queues } from './queues.ts';
import { RoomFunction } from './room-function.ts';
import type { Secrets } from './secrets.ts';
import type { Storage } from './storage.ts';
import { allowUsers } from './users-access.ts';
import { allowTelling, webhooksEnvironment } from './webhooks-access.ts';

interface ApiProps {
  readonly storage: Storage;
  readonly queues: Queues;
  readonly secrets: Secrets;
}

/** The front door. Its URL is public for AWS because the app knows its callers itself, by key or token. */
export class Api extends Construct {
  /** Ends with a slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const streaming = isStreaming(this);
    const api = new RoomFunction(this, 'Function', {
      room: 'api',
      timeout: Duration.seconds(60),
      environment: { ...environment(props, streaming), ...accessEnvironment(this) },
    });
    this.url = api.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: streaming ? InvokeMode.RESPONSE_STREAM : InvokeMode.BUFFERED,
    }).url;
    grant(api, props);
    connectCi(api, 'door');
  }
}

function environment({ storage, queues, secrets }: ApiProps, streaming: boolean) {
  return {
    TASKS_TABLE: storage.tasks.tableName,
    SESSIONS_TABLE: storage.sessions.tableName,
    USERS_TABLE: storage.users.tableName,
    OBJECTS_BUCKET: storage.objects.bucketName,
    WORK_QUEUE_URL: queues.work.live.queueUrl,
    RESUMES_QUEUE_URL: queues.resumes.live.queueUrl,
    ...webhooksEnvironment(storage, queues),
    SERVER_SECRET_ARN: secrets.server.secretArn,
    API_KEY_SECRET_ARN: secrets.apiKey.secretArn,
    STREAMING: String(streaming),
  };
}

function grant(api: RoomFunction, { storage, queues, secrets }: ApiProps): void {
  api.allow(
    storage.tasks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  );
  api.allow(
    storage.sessions.tableArn,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
  );
  for (const { tableArn } of [storage.tasks, storage.sessions])
    api.allow(`${tableArn}/index/newest`, 'dynamodb:Query');
  allowTelling(api, storage, queues);
  api.allow(
    storage.webhooks.tableArn,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
  api.allow(`${storage.webhooks.tableArn}/index/newest`, 'dynamodb:Query');
  allowUsers(api, storage);
  api.allow(storage.objects.arnForObjects('*'), 's3:GetObject', 's3:PutObject');
  for (const { live } of [queues.work, queues.resumes]) api.allow(live.queueArn, 'sqs:SendMessage');
  for (const secret of [secrets.server, secrets.apiKey])
    api.allow(secret.secretArn, 'secretsmanager:GetSecretValue');
}

/** Streaming unless `-c streaming=false`: not every AWS-shaped endpoint can stream an answer. */
function isStreaming(scope: Construct): boolean {
  const flag: unknown = scope.node.tryGetContext('streaming') ?? true;
  if (flag === true || flag === 'true') return true;
  if (flag === false || flag === 'false') return false;
  throw new Error('The context flag "streaming" must be true or false');
}
