import { readSecretSettings } from '../adapters/ci-access.ts';
import { lambdaLog } from '../adapters/log.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { readSecrets } from '../adapters/secrets.ts';
import { requireSettings } from '../adapters/settings.ts';
import { batchHandler } from '../adapters/sqs-batch.ts';
import { storePorts, workHider } from '../adapters/store-ports.ts';
import { deployOwner } from '../core/ids.ts';
import { registry } from '../tools/registry.ts';
import { work } from './work.ts';

const { env } = process;
const names = requireSettings(env, ['OBJECTS_BUCKET', 'SERVER_SECRET_ARN']);
const [serverSecret = ''] = await readSecrets([names.SERVER_SECRET_ARN]);
// Made by whoever deploys, where there is one: the token that workflows are dispatched with.
const ciEnv = env.CI_SECRET_ARN
  ? { ...env, ...readSecretSettings((await readSecrets([env.CI_SECRET_ARN]))[0] ?? '') }
  : env;
const stores = storePorts({
  env: ciEnv,
  objects: s3ObjectStore(names.OBJECTS_BUCKET),
  log: lambdaLog('worker'),
  serverSecret,
});
const settings = { ...stores.settings, operator: deployOwner };
const ports = { ...stores, tools: registry(stores), settings };

export const handler = batchHandler(
  (delivery, functionEndsAtMs) => work(ports, delivery, functionEndsAtMs),
  { ...ports, hide: workHider(env) },
);
