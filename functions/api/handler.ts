import { handle, streamHandle } from 'hono/aws-lambda';
import { readOAuth, readOrigins } from '../adapters/access-settings.ts';
import { readApiKeys } from '../adapters/api-keys.ts';
import { readCiAccess, readSecretSettings } from '../adapters/ci-access.ts';
import { lambdaLog } from '../adapters/log.ts';
import { s3ObjectStore } from '../adapters/s3-object-store.ts';
import { readSecrets } from '../adapters/secrets.ts';
import { requireSettings } from '../adapters/settings.ts';
import { storePorts } from '../adapters/store-ports.ts';
import { tokenVerifier } from '../adapters/token-verifier.ts';
import { deployOwner } from '../core/ids.ts';
import { streamMsMax } from '../core/limits.ts';
import { registry } from '../tools/registry.ts';
import { createApp } from './app.ts';
import { keyAuth, keyOrTokenAuth, tokenAuth } from './auth.ts';

const { env } = process;
const names = requireSettings(env, ['OBJECTS_BUCKET', 'SERVER_SECRET_ARN', 'API_KEY_SECRET_ARN']);
const [serverSecret = '', keys = ''] = await readSecrets([
  names.SERVER_SECRET_ARN,
  names.API_KEY_SECRET_ARN,
]);
// Made by whoever deploys, where there are any: what CI systems sign with.
const ciEnv = env.CI_SECRET_ARN
  ? { ...env, ...readSecretSettings((await readSecrets([env.CI_SECRET_ARN]))[0] ?? '') }
  : env;
const objects = s3ObjectStore(names.OBJECTS_BUCKET);
const ports = storePorts({ env, objects, log: lambdaLog('api'), serverSecret });
// The key that is made at deploy stands there alone; others are added as lines with an owner.
const keyed = keyAuth(readApiKeys(keys, { name: 'The API key secret', bareOwner: deployOwner }));
// A function learns its address from nobody but whoever deploys it, and a token must be for that address.
if (env.OAUTH_ISSUER) requireSettings(env, ['PUBLIC_URL']);
const oauth = readOAuth(env, ports.settings);
const authenticate = oauth ? keyOrTokenAuth(keyed, tokenAuth(oauth, tokenVerifier(oauth))) : keyed;
const app = createApp({ ...ports, tools: registry(ports) }, authenticate, {
  streamMs: streamMsMax,
  origins: readOrigins(env),
  oauth,
  ci: readCiAccess(ciEnv, ports.settings),
});

export const handler = env.STREAMING === 'false' ? handle(app) : streamHandle(app);
