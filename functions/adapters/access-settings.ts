import { isLoopback } from '../core/loopback.ts';
import type { OAuth } from '../core/oauth.ts';
import type { Settings } from '../ports.ts';
import { wrongSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const scopesDefault = 'tasks:read tasks:write';

/**
 * Whose tokens are taken, if any. The address of the house may become known only once it listens, so
 * what derives from it is read late. It never derives from a request: that could name any audience.
 */
export function readOAuth(
  env: Environment,
  settings: Pick<Settings, 'publicUrl'>,
): OAuth | undefined {
  const issuer = env.OAUTH_ISSUER;
  if (!issuer) {
    const alone = ['OAUTH_AUDIENCE', 'OAUTH_JWKS_URL', 'OAUTH_SCOPES'].find((name) => env[name]);
    if (alone) throw wrongSetting(`${alone} says nothing without OAUTH_ISSUER.`);
    return undefined;
  }
  checkAddress('OAUTH_ISSUER', issuer);
  if (env.OAUTH_JWKS_URL) checkAddress('OAUTH_JWKS_URL', env.OAUTH_JWKS_URL);
  return {
    issuer,
    jwksUrl: env.OAUTH_JWKS_URL || undefined,
    scopes: readScopes(env.OAUTH_SCOPES || scopesDefault),
    get resource() {
      return `${settings.publicUrl}/mcp`;
    },
    get audience() {
      return env.OAUTH_AUDIENCE || this.resource;
    },
    get metadataUrl() {
      // RFC 9728: it stands at the root, and the path of the resource comes after it.
      const { origin, pathname } = new URL(this.resource);
      return `${origin}/.well-known/oauth-protected-resource${pathname}`;
    },
  };
}

/** Keys that come over an open line are anybody's. */
function checkAddress(name: string, text: string): void {
  const isLocal = text.startsWith('http:') && isLoopback(text);
  if (URL.canParse(text) && (text.startsWith('https:') || isLocal)) return;
  throw wrongSetting(`${name} must be an https:// address, not "${text}".`);
}

/** First the scope for looking, then the one for changing; a single one is for both. */
function readScopes(text: string): OAuth['scopes'] {
  const [read, change = read, ...more] = text.split(/[\s,]+/).filter((scope) => scope !== '');
  const isScope = (scope: string | undefined) => scope !== undefined && /^[!#-[\]-~]+$/.test(scope);
  if (read && change && isScope(read) && isScope(change) && more.length === 0)
    return { read, change };
  throw wrongSetting('OAUTH_SCOPES must name a scope for looking and one for changing.');
}

/** Pages that may ask, as browsers write them. There is no way to allow all of them. */
export function readOrigins(env: Environment): readonly string[] {
  const origins = (env.ALLOWED_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  return origins.filter((origin) => origin !== '').map(readOrigin);
}

function readOrigin(text: string): string {
  const origin = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@\s*]+)\/?$/.exec(text)?.[1];
  if (origin !== undefined && URL.canParse(origin)) return origin;
  throw wrongSetting(
    `ALLOWED_ORIGINS must read https://one.example,https://two.example:8443, not "${text}".`,
  );
}
