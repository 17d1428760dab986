import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { emulatorCredentials } from '../../local/engines.ts';
import { startQueueEngine } from '../../local/queue-engine.ts';
import { startTableEngine } from '../../local/table-engine.ts';

/** An engine that the contract suites run on, and in what it is known to differ from AWS. */
export interface TableEngineUnderTest {
  readonly name: string;
  /** Why it does not run here; undefined when it does. */
  readonly missing: string | undefined;
  readonly differences: readonly string[];
  readonly start: () => Promise<{
    readonly url: string | undefined;
    readonly stop: () => Promise<void>;
  }>;
}

/** An engine that is not here is listed by name and reason, never left out in silence. */
export const titleOf = (port: string, engine: string, missing: string | undefined) =>
  `${port}: ${engine}${missing ? ` (${missing})` : ''}`;

const { env } = process;
const dynoxide = 'node_modules/@dynoxide/linux-x64/dynoxide';
const nothingToStop = async () => {};

export const tableEngines: readonly TableEngineUnderTest[] = [
  {
    name: 'dynalite',
    missing: undefined,
    differences: ['no UpdateTimeToLive', 'no TransactWriteItems', 'no PITR'],
    start: () => startTableEngine(),
  },
  {
    name: 'dynoxide',
    missing: existsSync(dynoxide) ? undefined : 'not installed on this platform',
    differences: ['accepts UpdateTimeToLive but deletes nothing', 'no PITR'],
    start: startDynoxide,
  },
  {
    name: 'DynamoDB Local',
    missing: env.DYNAMODB_LOCAL_URL ? undefined : 'DYNAMODB_LOCAL_URL is not set',
    differences: ['deletes expired items only from tables without an index'],
    start: async () => ({ url: env.DYNAMODB_LOCAL_URL, stop: nothingToStop }),
  },
  {
    name: 'AWS_ENDPOINT_URL',
    missing: env.AWS_ENDPOINT_URL ? undefined : 'AWS_ENDPOINT_URL is not set',
    differences: [],
    start: async () => ({ url: env.AWS_ENDPOINT_URL, stop: nothingToStop }),
  },
];

export const queueEngines = [
  {
    name: 'fauxqs',
    missing: undefined,
    differences: ['takes a receipt handle that never was', 'no StartMessageMoveTask'],
    start: () => startQueueEngine(),
  },
  {
    name: 'AWS_ENDPOINT_URL',
    missing: env.AWS_ENDPOINT_URL ? undefined : 'AWS_ENDPOINT_URL is not set',
    differences: [],
    start: async () => ({ url: env.AWS_ENDPOINT_URL, stop: nothingToStop }),
  },
] as const satisfies readonly TableEngineUnderTest[];

const connection = (endpoint: string | undefined) => ({
  ...(endpoint === undefined ? {} : { endpoint }),
  region: emulatorCredentials.AWS_REGION,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

export const documentClient = (endpoint: string | undefined) =>
  DynamoDBDocumentClient.from(new DynamoDBClient(connection(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const queueClient = (endpoint: string | undefined) =>
  new SQSClient({ ...connection(endpoint), useQueueUrlAsEndpoint: false });

async function startDynoxide() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(dynoxide, ['serve', '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  });
  const client = new DynamoDBClient(connection(url));
  for (let tries = 0; tries < 50; tries += 1) {
    const answered = await client.send(new ListTablesCommand({})).then(
      () => true,
      () => false,
    );
    if (answered) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop: async () => void child.kill('SIGKILL') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
