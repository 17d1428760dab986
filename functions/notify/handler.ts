import { lambdaLog } from '../adapters/log.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { requireSettings } from '../adapters/settings.ts';
import { batchHandler } from '../adapters/sqs-batch.ts';
import { notifyPorts } from '../adapters/notify-ports.ts';
import { webhookHider } from '../adapters/store-ports.ts';
import { notify } from './notify.ts';

const { env } = process;
const { OBJECTS_BUCKET } = requireSettings(env, ['OBJECTS_BUCKET']);
const ports = notifyPorts({
  env,
  objects: s3ObjectStore(OBJECTS_BUCKET),
  log: lambdaLog('notify'),
});

export const handler = batchHandler((delivery) => notify(ports, delivery), {
  ...ports,
  hide: webhookHider(env),
});
