import { lambdaLog } from '../adapters/log.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { requireSettings } from '../adapters/settings.ts';
import { storePorts, workHider } from '../adapters/store-ports.ts';
import { registry } from '../tools/registry.ts';
import { batchHandler } from './handle-batch.ts';

const { env } = process;
const { OBJECTS_BUCKET } = requireSettings(env, ['OBJECTS_BUCKET']);
const ports = storePorts({ env, objects: s3ObjectStore(OBJECTS_BUCKET), log: lambdaLog('worker') });

export const handler = batchHandler({ ...ports, tools: registry(ports) }, workHider(env));
