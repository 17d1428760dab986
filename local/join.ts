import { dynamoClient, sqsClient } from '../functions/adapters/clients.ts';
import { emulatorCredentials, type Engines } from './engines.ts';
import { openDataFolder, serverSecret } from './data-folder.ts';
import { makeResources } from './make-resources.ts';
import { startProblem } from './start-problem.ts';

const endpointNames = ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_SQS'];

/** Whether the environment points at engines that run elsewhere: LocalStack, or `npm run engines`. */
export const enginesRunElsewhere = (env: NodeJS.ProcessEnv) =>
  endpointNames.some((name) => env[name]);

/** Use engines that run elsewhere. What they lack is made; who joins shares secret and objects by name. */
export async function joinEngines(env: NodeJS.ProcessEnv, dataDir: string): Promise<Engines> {
  for (const [name, value] of Object.entries(emulatorCredentials)) env[name] ??= value;
  const shared =
    env.SERVER_SECRET && env.OBJECTS_DIR
      ? { SERVER_SECRET: env.SERVER_SECRET, OBJECTS_DIR: env.OBJECTS_DIR }
      : await ownFolder(dataDir);
  try {
    const names = await makeResources(dynamoClient(), sqsClient());
    return { environment: { ...names, ...shared }, stop: async () => {} };
  } catch (thrown) {
    const where = endpointNames.flatMap((name) => env[name] ?? []).join(', ');
    throw startProblem(`The engines at ${where} do not answer: ${String(thrown)}`);
  }
}

async function ownFolder(dataDir: string) {
  const folder = await openDataFolder(dataDir);
  return { SERVER_SECRET: serverSecret(folder), OBJECTS_DIR: folder.objects };
}
