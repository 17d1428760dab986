import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Failure } from '../core/failure.ts';
import { isLoopback } from '../core/loopback.ts';
import { allRights, challenge, type OAuth } from '../core/oauth.ts';
import { bearerOf, type Authenticate } from './auth.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { rightNeeded } from './rights.ts';

/** Who may come near the door at all. */
export interface Access {
  /** Pages of these sites may ask, and read the answers. */
  readonly origins?: readonly string[];
  /** Only this machine is served: a request that calls it by another name was led astray. */
  readonly loopbackOnly?: boolean;
  readonly oauth?: OAuth | undefined;
}

/** A browser says which page asks. Ours may, and those that are named; any other is turned away. */
export const checkOrigin =
  ({ settings }: Pick<ApiNeeds, 'settings'>, access: Access): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const { headers } = c.req.raw;
    const [host, origin] = [headers.get('host') ?? '', headers.get('origin')];
    if (access.loopbackOnly && !isLoopback(`http://${host}`))
      return failureResponse({ reason: 'forbidden_host' });
    const named = [...(access.origins ?? []), originOf(settings.publicUrl)];
    if (origin !== null && !named.includes(origin) && !isOwnPage(origin, host, settings))
      return failureResponse({ reason: 'forbidden_origin' });
    return next();
  };

/**
 * Whoever leads a name of their own to this machine chooses what Host says, so it counts only where our
 * address is not known. That is a function that nobody told it, and AWS leads no other name there.
 */
function isOwnPage(origin: string, host: string, { publicUrl }: ApiNeeds['settings']): boolean {
  if (isLoopback(`http://${host}`)) return isLoopback(origin);
  return !publicUrl && URL.canParse(origin) && new URL(origin).host === host;
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Only pages that are named get to read an answer; without any, no header of this kind is sent. */
export const allowPages = (origins: readonly string[]): MiddlewareHandler<ApiEnv> =>
  origins.length === 0
    ? (_, next) => next()
    : cors({
        origin: [...origins],
        allowMethods: ['GET', 'POST', 'DELETE'],
        exposeHeaders: [
          'WWW-Authenticate',
          'Mcp-Session-Id',
          'MCP-Protocol-Version',
          'Retry-After',
        ],
        maxAge: 600,
      });

export const authentication =
  (authenticate: Authenticate, oauth: OAuth | undefined): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const visitor = await authenticate(c.req.raw.headers);
    if (!visitor.ok) return refused(visitor.failure, oauth, c.req.raw.headers);
    // RFC 6750: a token travels one way only, and an address ends in logs and histories.
    if (c.req.query('access_token') !== undefined) return failureResponse(tokenInQuery);
    c.set('owner', visitor.value.owner);
    c.set('rights', visitor.value.rights);
    return next();
  };

const tokenInQuery: Failure = {
  reason: 'invalid_request',
  flaws: [{ path: 'access_token', message: 'a token is taken from the Authorization header only' }],
};

function refused(failure: Failure, oauth: OAuth | undefined, headers: Headers): Response {
  const response = failureResponse(failure);
  if (!oauth || response.status !== 401) return response;
  const error = bearerOf(headers) === undefined ? {} : { error: 'invalid_token' };
  response.headers.set('www-authenticate', challenge(oauth, error));
  return response;
}

/** Behind the body limit: what an MCP request does stands in its body. */
export const requireRight =
  (oauth: OAuth | undefined): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const held = c.get('rights');
    if (!oauth || allRights.every((right) => held.includes(right))) return next();
    const needed = await rightNeeded(c.req.raw);
    if (held.includes(needed)) return next();
    const response = failureResponse({ reason: 'insufficient_scope', scope: oauth.scopes[needed] });
    // A client asks for exactly what it is told, so what it has already stands beside what it lacks.
    const rights = allRights.filter((right) => right === needed || held.includes(right));
    response.headers.set(
      'www-authenticate',
      challenge(oauth, { error: 'insufficient_scope', rights }),
    );
    return response;
  };
