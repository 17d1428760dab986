import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { readSessionCursor } from '../core/cursor.ts';
import { asCallId } from '../core/ids.ts';
import type { Failure } from '../core/failure.ts';
import type { OwnTool, Policy, SessionKey } from '../core/session.ts';
import { cancelCall } from '../sessions/cancel-call.ts';
import { createSession, type NewSession } from '../sessions/create-session.ts';
import { listSessions } from '../sessions/list-sessions.ts';
import { respondToCall } from '../sessions/respond-to-call.ts';
import { takeInput } from '../sessions/take-input.ts';
import { viewHistory } from '../sessions/view-history.ts';
import { viewSession } from '../sessions/view-session.ts';
import type { TaskResponse } from '../tasks/respond-to-task.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { viewTask } from '../tasks/view-task.ts';
import { failureResponse, type ProblemResponse } from './failure-response.ts';
import { wrongCursor, type ApiEnv, type ApiNeeds } from './rest.ts';
import { sessionKey } from './session-key.ts';
import {
  cancelCallRoute,
  createSessionRoute,
  getSessionRoute,
  historyRoute,
  inputRoute,
  listSessionsRoute,
  respondRoute,
} from './session-routes.ts';
import type { createBody, ownToolBody, policyBody, responseBody } from './session-schemas.ts';

/** /v1/sessions: each route reads its input, calls one verb, and shows what came of it. */
export function addSessionRoutes(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  addCreation(app, ports);
  addViews(app, ports);
  addWords(app, ports);
}

function addCreation(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(createSessionRoute, async (c) => {
    const wanted = readWanted(c.req.valid('json'));
    const created = await createSession(ports, { owner: c.get('owner'), ...wanted });
    if (!created.ok) return failureResponse(created.failure);
    return c.json({ session_id: created.value.sessionId, status: 'idle' as const }, 201);
  });
}

function addViews(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(listSessionsRoute, async (c) => {
    const { cursor, limit } = c.req.valid('query');
    if (cursor !== undefined && !readSessionCursor(cursor)) return failureResponse(wrongCursor);
    const page = await listSessions(ports, c.get('owner'), { limit, cursor });
    return c.json({ ...page, items: [...page.items] }, 200);
  });

  app.openapi(getSessionRoute, async (c) => {
    const key = sessionKey(c.get('owner'), c.req.valid('param').id);
    if (!key.ok) return failureResponse(key.failure);
    const view = await viewSession(ports, key.value);
    if (!view.ok) return failureResponse(view.failure);
    const { pending, input_required_tool_ids: ids } = view.value;
    return c.json({ ...view.value, input_required_tool_ids: [...ids], pending: [...pending] }, 200);
  });

  app.openapi(historyRoute, async (c) => {
    const key = sessionKey(c.get('owner'), c.req.valid('param').id);
    if (!key.ok) return failureResponse(key.failure);
    const entries = await viewHistory(ports, key.value);
    if (!entries.ok) return failureResponse(entries.failure);
    return c.json(
      {
        entries: entries.value.map(({ tool_calls: calls, ...entry }) => ({
          ...entry,
          ...(calls ? { tool_calls: [...calls] } : {}),
        })),
      },
      200,
    );
  });
}

function addWords(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(inputRoute, async (c) => {
    const key = sessionKey(c.get('owner'), c.req.valid('param').id);
    if (!key.ok) return failureResponse(key.failure);
    const { text, input_id: inputId } = c.req.valid('json');
    const taken = await takeInput(ports, key.value, { text, inputId });
    if (!taken.ok) return refuseNoted(ports, key.value, 'session.input', taken.failure);
    return c.json({ input_id: taken.value.inputId }, 202);
  });

  app.openapi(respondRoute, async (c) => {
    const key = sessionKey(c.get('owner'), c.req.valid('param').id);
    if (!key.ok) return failureResponse(key.failure);
    const given = c.req.valid('json');
    const callId = asCallId(given.call_id);
    const answered = await respondToCall(ports, key.value, callId, readResponse(given));
    if (!answered.ok) {
      return refuseNoted(ports, key.value, 'session.responses', answered.failure);
    }
    return c.json(answered.value, answered.value.outcome === 'already_resolved' ? 200 : 202);
  });

  app.openapi(cancelCallRoute, async (c) => {
    const { id, call_id: callId } = c.req.valid('param');
    const key = sessionKey(c.get('owner'), id);
    if (!key.ok) return failureResponse(key.failure);
    const cancelled = await cancelCall(ports, key.value, asCallId(callId));
    if (!cancelled.ok) return refuseNoted(ports, key.value, 'session.cancel', cancelled.failure);
    return c.json(await viewTask(ports, cancelled.value), 200);
  });
}

/** Who came too late, or while the session was busy, stands in its audit; a session that is not there has none. */
async function refuseNoted(
  ports: ApiNeeds,
  key: SessionKey,
  what: string,
  failure: Failure,
): Promise<ProblemResponse> {
  const { reason: code } = failure;
  if (code !== 'session_not_found') await noteRefused(ports, { what, code, ...key });
  return failureResponse(failure);
}

function readWanted(body: z.output<typeof createBody>): Omit<NewSession, 'owner'> {
  const { system, model, tools, webhook_url: webhookUrl, policy } = body;
  return {
    system,
    model,
    tools: tools?.map((tool) => (typeof tool === 'string' ? tool : readOwnTool(tool))),
    webhookUrl,
    policy: policy && readPolicy(policy),
  };
}

const readOwnTool = (body: z.output<typeof ownToolBody>): OwnTool => ({
  name: body.name,
  description: body.description,
  inputSchema: { type: 'object', ...body.input_schema },
  results: body.results,
  progressAt: [...new Set(body.progress_at)].toSorted((a, b) => a - b),
});

/** What is left out keeps its default. */
function readPolicy(body: z.output<typeof policyBody>): Partial<Policy> {
  const { double_text: doubleText, max_turns: turnsMax, debounce_ms: debounceMs, ...same } = body;
  const given = Object.entries({ doubleText, turnsMax, debounceMs, ...same });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function readResponse(body: z.output<typeof responseBody>): TaskResponse {
  const { result, error, progress } = body;
  if (error !== undefined) return { error };
  return progress ? { progress } : { result };
}
