import { handle, streamHandle } from 'hono/aws-lambda';
import { lambdaLog } from '../adapters/log.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { readSecrets } from '../adapters/secrets.ts';
import { requireSettings } from '../adapters/settings.ts';
import { storePorts } from '../adapters/store-ports.ts';
import { asOwner } from '../core/ids.ts';
import { registry } from '../tools/registry.ts';
import { createApp } from './app.ts';
import { keyAuth } from './auth.ts';

const { env } = process;
const names = requireSettings(env, ['OBJECTS_BUCKET', 'SERVER_SECRET_ARN', 'API_KEY_SECRET_ARN']);
const [serverSecret = '', key = ''] = await readSecrets([
  names.SERVER_SECRET_ARN,
  names.API_KEY_SECRET_ARN,
]);
const objects = s3ObjectStore(names.OBJECTS_BUCKET);
const ports = storePorts({ env, objects, log: lambdaLog('api'), serverSecret });
const authenticate = keyAuth([{ owner: asOwner('default'), key }]);
const app = createApp({ ...ports, tools: registry(ports) }, authenticate);

export const handler = env.STREAMING === 'false' ? handle(app) : streamHandle(app);
