import {
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { dynamoClient, sqsClient } from '../functions/adapters/clients.ts';
import { delayMsMax } from '../functions/core/limits.ts';
import { openDataFolder, serverSecret } from './data-folder.ts';
import { makeResources } from './make-resources.ts';
import { startQueueEngine } from './queue-engine.ts';
import { openJournal, type JournalMessage } from './queue-journal.ts';
import { startProblem } from './start-problem.ts';
import { startTableEngine } from './table-engine.ts';

/** What other processes need to know to join, by the names infra/ gives a function on AWS. */
type HouseEnvironment = Readonly<Record<string, string>>;

export interface Engines {
  readonly environment: HouseEnvironment;
  stop(): Promise<void>;
}

/** Emulators check neither, but the SDK will not send without them. */
export const emulatorCredentials = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

/** Start the embedded engines on a data folder, with everything an earlier process accepted. */
export async function startEngines(dataDir: string): Promise<Engines> {
  const folder = await openDataFolder(dataDir);
  const secret = serverSecret(folder);
  const journal = openJournal(folder.journal);
  const tables = await startTableEngine(folder.dynamo);
  const queues = await startQueueEngine(journal);
  const endpoints = {
    ...emulatorCredentials,
    AWS_ENDPOINT_URL_DYNAMODB: tables.url,
    AWS_ENDPOINT_URL_SQS: queues.url,
  };
  // The clients read their endpoints from the environment, as they do on AWS.
  Object.assign(process.env, endpoints);
  const sqs = sqsClient();
  const names = await makeResources(dynamoClient(), sqs);
  for (const message of journal.leftovers) {
    const QueueUrl = await queueUrlOf(sqs, message.queue, folder.journal);
    await sendAgain(sqs, QueueUrl, message);
  }
  journal.takeOver();
  return {
    environment: { ...endpoints, ...names, OBJECTS_DIR: folder.objects, SERVER_SECRET: secret },
    async stop() {
      await Promise.all([queues.stop(), tables.stop()]);
    },
  };
}

async function queueUrlOf(sqs: SQSClient, queue: string, journal: string) {
  try {
    return (await sqs.send(new GetQueueUrlCommand({ QueueName: queue }))).QueueUrl;
  } catch (thrown) {
    if (!(thrown instanceof QueueDoesNotExist)) throw thrown;
    throw startProblem(
      `${journal} holds a message for the queue "${queue}", which does not exist: restore it or move it away.`,
    );
  }
}

async function sendAgain(
  sqs: SQSClient,
  QueueUrl: string | undefined,
  message: JournalMessage,
): Promise<void> {
  const waitMs = Math.min(delayMsMax, Math.max(0, message.visibleAtMs - Date.now()));
  const DelaySeconds = Math.ceil(waitMs / 1000);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: message.body, DelaySeconds }));
}
