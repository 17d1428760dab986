import { readOAuth, readOrigins } from '../functions/adapters/access-settings.ts';
import { readApiKeys } from '../functions/adapters/api-keys.ts';
import { readCiAccess } from '../functions/adapters/ci-access.ts';
import { readGitHub } from '../functions/adapters/github.ts';
import { models } from '../functions/adapters/models.ts';
import { readNumber, readSettings } from '../functions/adapters/settings.ts';
import { tokenVerifier } from '../functions/adapters/token-verifier.ts';
import type { Access } from '../functions/api/access.ts';
import {
  keyAuth,
  keyOrTokenAuth,
  loopbackAuth,
  tokenAuth,
  type Authenticate,
} from '../functions/api/auth.ts';
import { isLoopback } from '../functions/core/loopback.ts';
import type { Settings } from '../functions/ports.ts';
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

interface LocalAccess extends Access {
  readonly authenticate: Authenticate;
}

/** Keys, tokens or both; without either this machine only, as the development principal. */
export function accessOf(env: Environment, settings: Pick<Settings, 'publicUrl'>): LocalAccess {
  const keys = readApiKeys(env.API_KEYS);
  const oauth = readOAuth(env, settings);
  const origins = readOrigins(env);
  const keyed = keys.length > 0 ? keyAuth(keys) : undefined;
  const tokens = oauth && tokenAuth(oauth, tokenVerifier(oauth));
  const authenticate = keyed && tokens ? keyOrTokenAuth(keyed, tokens) : (keyed ?? tokens);
  if (authenticate) return { authenticate, origins, oauth };
  const host = hostOf(env);
  if (isLoopback(urlOf(host))) return { authenticate: loopbackAuth, origins, loopbackOnly: true };
  throw startProblem(
    `HOST=${host} is open to others and nobody needs a key: set API_KEYS=owner:key, or leave HOST out.`,
  );
}

/** Read every setting before anything is started: a wrong one must leave nothing behind. */
export function checkSettings(env: Environment): void {
  portOf(env);
  sweepMsOf(env);
  accessOf(env, readSettings(env));
  models(env);
  readCiAccess(env, readSettings(env));
  readGitHub(env);
}
