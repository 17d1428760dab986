import { models } from '../functions/adapters/models.ts';
import { readApiKeys, readNumber, readSettings } from '../functions/adapters/settings.ts';
import { isLoopback, keyAuth, loopbackAuth, type Authenticate } from '../functions/api/auth.ts';
import { startProblem } from './start-problem.ts';

/** What `npm start` reads from its environment. An empty value is an unset one, as shells leave it. */
type Environment = NodeJS.ProcessEnv;

export const dataDirOf = (env: Environment) => env.DATA_DIR || '.boomerang';
export const hostOf = (env: Environment) => env.HOST || '127.0.0.1';
export const portOf = (env: Environment) =>
  readNumber(env, 'PORT', { least: 0, most: 65_535, whole: true }, 3000);
export const sweepMsOf = (env: Environment) =>
  readNumber(env, 'SWEEP_S', { least: 0.1, most: 3600 }, 1) * 1000;

/** An IPv6 address stands in brackets where a port may follow it. */
export const urlOf = (host: string, port?: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;

export function authenticationOf(env: Environment): Authenticate {
  const keys = readApiKeys(env.API_KEYS);
  if (keys.length > 0) return keyAuth(keys);
  const host = hostOf(env);
  if (isLoopback(urlOf(host))) return loopbackAuth;
  throw startProblem(
    `HOST=${host} is open to others and nobody needs a key: set API_KEYS=owner:key, or leave HOST out.`,
  );
}

/** Read every setting before anything is started: a wrong one must leave nothing behind. */
export function checkSettings(env: Environment): void {
  readSettings(env);
  portOf(env);
  sweepMsOf(env);
  authenticationOf(env);
  models(env);
}
