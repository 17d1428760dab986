import { lambdaLog } from '../adapters/log.ts';
import { models } from '../adapters/models.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { readSecrets } from '../adapters/secrets.ts';
import { requireSettings } from '../adapters/settings.ts';
import { batchHandler } from '../adapters/sqs-batch.ts';
import { resumeHider, storePorts } from '../adapters/store-ports.ts';
import { registry } from '../tools/registry.ts';
import { resume } from './resume.ts';

const { env } = process;
const names = requireSettings(env, ['OBJECTS_BUCKET', 'SERVER_SECRET_ARN']);
const { MODEL_API_KEY_SECRET_ARN: modelKeyArn } = env;
const [serverSecret = '', modelKey] = await readSecrets([
  names.SERVER_SECRET_ARN,
  ...(modelKeyArn ? [modelKeyArn] : []),
]);
const stores = storePorts({
  env,
  objects: s3ObjectStore(names.OBJECTS_BUCKET),
  log: lambdaLog('resume'),
  serverSecret,
});
const ports = {
  ...stores,
  tools: registry(stores),
  model: models({ ...env, MODEL_API_KEY: modelKey }),
};

export const handler = batchHandler(
  (delivery, functionEndsAtMs) => resume(ports, delivery, functionEndsAtMs),
  { ...ports, hide: resumeHider(env) },
);
