import { OpenAPIHono, type Hook } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { Failure } from '../core/failure.ts';
import { faultOf } from '../core/fault.ts';
import { bodyBytesMax } from '../core/limits.ts';
import { allowPages, authentication, checkOrigin, requireRight, type Access } from './access.ts';
import type { Authenticate } from './auth.ts';
import { addCallbackRoute, callbackAuth, noteRefusals } from './callbacks.ts';
import { addCiRoute, type CiAccess } from './ci.ts';
import { addDescription } from './description.ts';
import { failureResponse, problemResponse } from './failure-response.ts';
import { mcpDoor } from './mcp/door.ts';
import { flawsOf } from './flaws.ts';
import { internalProblem } from './problem.ts';
import { addResourceMetadata } from './resource-metadata.ts';
import { addTaskRoutes, type ApiEnv, type ApiNeeds } from './rest.ts';
import { healthRoute } from './routes.ts';
import { addSessionStreams } from './session-streams.ts';
import { addSessionRoutes } from './sessions.ts';
import { version } from './version.ts';
import { addWebhookRoutes } from './webhooks.ts';

export interface AppOptions extends Access {
  /** How long a stream of events may last; where a function has no end, as long as its reader stays. */
  readonly streamMs?: number;
  readonly ci?: CiAccess;
}

/** The street door: who asks, how much, in what form; then the routes. */
export function createApp(
  ports: ApiNeeds,
  authenticate: Authenticate,
  { streamMs = Infinity, ci, ...access }: AppOptions = {},
) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  app.onError((error) => answerError(ports, error));
  app.notFound(() => failureResponse({ reason: 'route_not_found' }));
  app.use(checkOrigin(ports, access), allowPages(access.origins ?? []));
  app.openapi(healthRoute, (c) => c.json({ status: 'ok' as const, version }, 200));
  const { oauth } = access;
  if (oauth) addResourceMetadata(app, oauth);
  const guards = [authentication(authenticate, oauth), limitBody, requireRight(oauth)] as const;
  app.use('/v1/*', ...guards, requireJson);
  app.use('/mcp', ...guards);
  app.post(
    '/callbacks/:task_id',
    noteRefusals(ports),
    callbackAuth(ports, ci),
    limitBody,
    requireJson,
  );
  app.post('/callbacks/ci/:provider', limitBody);
  addTaskRoutes(app, ports);
  addSessionRoutes(app, ports);
  addWebhookRoutes(app, ports);
  addSessionStreams(app, ports, streamMs);
  addCallbackRoute(app, ports);
  addCiRoute(app, ports, ci);
  app.all('/mcp', mcpDoor(ports));
  addDescription(app, access);
  return app;
}

const tooLarge: Failure = { reason: 'body_too_large', bytesMax: bodyBytesMax };
const limitBody = bodyLimit({ maxSize: bodyBytesMax, onError: refuseTooLarge });

/** Whoever still sends does not listen: what is too large is let past before the answer, up to this. */
const letPastBytesMax = 64 * bodyBytesMax;

/** The rest of the body may never be read, so the connection is of no use to another request. */
async function refuseTooLarge({ req }: Context): Promise<Response> {
  await letPast(req.raw.body);
  const response = failureResponse(tooLarge);
  response.headers.set('connection', 'close');
  return response;
}

async function letPast(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > letPastBytesMax) return;
  }
}

/** A body must be JSON and say so: a form post from another site can claim no such type. */
const requireJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const text = c.req.method === 'POST' ? await c.req.text() : '';
  if (text !== '') {
    const type = c.req.header('content-type') ?? 'none';
    if (!/^application\/json(;|$)/i.test(type)) {
      const message = `expected application/json, got ${type}`;
      const flaws = [{ path: 'content-type', message }];
      return failureResponse({ reason: 'invalid_request', flaws });
    }
    try {
      JSON.parse(text);
    } catch (thrown) {
      return failureResponse({ reason: 'invalid_json', detail: String(thrown) });
    }
  }
  return next();
};

const refuseInvalid: Hook<unknown, ApiEnv, string, unknown> = (parsed) => {
  if (parsed.success) return undefined;
  return failureResponse({ reason: 'invalid_request', flaws: flawsOf(parsed.error.issues) });
};

function answerError(ports: Pick<ApiNeeds, 'log'>, error: Error): Response {
  if (error instanceof HTTPException && error.status < 500) {
    // What is not JSON was refused before any route, so a route that still finds none got nothing.
    if (error.message.startsWith('Malformed JSON')) {
      return failureResponse({ reason: 'invalid_json', detail: 'it is empty.' });
    }
    const flaws = [{ path: '', message: error.message }];
    return failureResponse({ reason: 'invalid_request', flaws });
  }
  ports.log('error', 'request failed', { ...faultOf(error) });
  return problemResponse(internalProblem);
}
