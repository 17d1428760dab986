import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { readCursor } from '../core/cursor.ts';
import type { Failure } from '../core/failure.ts';
import { handleOf, pollAfterMs } from '../core/handle.ts';
import { asTaskId, type Owner } from '../core/ids.ts';
import type { Right } from '../core/oauth.ts';
import { ok, type Result } from '../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { callbackFor, type CallbackGrant } from '../tasks/callback.ts';
import { answerTask } from '../tasks/answer-task.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { listTasks } from '../tasks/list-tasks.ts';
import { checkUrl, nameWebhook } from '../tasks/name-webhook.ts';
import { runQuick } from '../tasks/run-quick.ts';
import { findTool, startTask } from '../tasks/start-task.ts';
import { viewTask } from '../tasks/view-task.ts';
import { waitForTask } from '../tasks/wait-for-task.ts';
import { answerRoute, cancelRoute, getRoute, listRoute, startRoute, toolsRoute } from './routes.ts';
import { failureResponse } from './failure-response.ts';
import type { startBody } from './schemas.ts';

export type ApiNeeds = Pick<
  Ports,
  | 'tasks'
  | 'objects'
  | 'ci'
  | 'work'
  | 'sessions'
  | 'resumes'
  | 'webhooks'
  | 'deliveries'
  | 'outbound'
  | 'audit'
  | 'tools'
  | 'clock'
  | 'signals'
  | 'live'
  | 'sealer'
  | 'newTaskId'
  | 'newSessionId'
  | 'newToken'
  | 'newWebhookSecret'
  | 'settings'
  | 'log'
>;

export interface ApiEnv {
  Variables: {
    owner: Owner;
    rights: readonly Right[];
    grant: CallbackGrant;
  };
}

/** /v1/tasks: each route reads its input, calls one verb, and shows what came of it. */
export function addTaskRoutes(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(toolsRoute, (c) => c.json({ items: [...ports.tools.values()].map(showTool) }, 200));
  addStart(app, ports);
  addReads(app, ports);
  addChanges(app, ports);
}

function addStart(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(startRoute, async (c) => {
    const body = c.req.valid('json');
    const owner = c.get('owner');
    const tool = findTool(ports, body.tool);
    if (!tool.ok) return failureResponse(tool.failure);
    const request = { owner, arguments: body.arguments, identity: body.idempotency_key };
    if (!tool.value.longRunning) {
      // It has no end to tell, but a URL that could never be told is wrong all the same.
      const url = body.webhook_url === undefined ? ok('') : await checkUrl(ports, body.webhook_url);
      if (!url.ok) return failureResponse(url.failure);
      const { signal } = c.req.raw;
      const outcome = await runQuick(ports, { ...request, tool: tool.value, signal });
      return outcome.ok ? c.json(outcome.value, 200) : failureResponse(outcome.failure);
    }
    const named = await namedWebhook(ports, owner, body);
    if (!named.ok) return failureResponse(named.failure);
    const started = await startTask(ports, {
      ...request,
      webhookId: named.value,
      tool: body.tool,
      caller: { kind: 'client' },
      deadlineMs: body.deadline_s && body.deadline_s * 1000,
    });
    if (!started.ok) return failureResponse(started.failure);
    // A repeated start gets the very answer of the first one, whatever became of the task since.
    const { taskId } = started.value;
    return c.json(
      { task_id: taskId, status: 'working' as const, poll_after_ms: pollAfterMs(0) },
      202,
    );
  });
}

/** Checked and kept before the task that points at it; most starts name none. */
async function namedWebhook(
  ports: ApiNeeds,
  owner: Owner,
  body: z.output<typeof startBody>,
): Promise<Result<string | undefined>> {
  const { webhook_url: url, webhook_payload: payload } = body;
  return url === undefined ? ok(undefined) : nameWebhook(ports, owner, { url, payload });
}

function addReads(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(listRoute, async (c) => {
    const { cursor, limit, ...filter } = c.req.valid('query');
    const after = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !after) return failureResponse(wrongCursor);
    const page = await listTasks(ports, c.get('owner'), { limit, after, filter });
    return c.json({ ...page, items: [...page.items] }, 200);
  });

  app.openapi(getRoute, async (c) => {
    const key = keyFor(c.get('owner'), c.req.valid('param').id);
    const found = await waitForTask(ports, key, c.req.valid('query').wait_s * 1000);
    if (!found.ok) return failureResponse(found.failure);
    const view = await viewTask(ports, found.value);
    return c.json({ ...view, ...shownCallback(ports, found.value) }, 200);
  });
}

/** Only here, and only where the reader runs the house: no model and no list ever carries a token. */
function shownCallback(ports: ApiNeeds, task: Task) {
  if (!ports.settings.showCallback || hasEnded(task)) return {};
  const { url, token, expiresAtMs, correlationId } = callbackFor(ports, task);
  const expires_at = new Date(expiresAtMs).toISOString();
  return { callback: { url, token, expires_at, correlation_id: correlationId } };
}

function addChanges(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(cancelRoute, async (c) => {
    const cancelled = await cancelTask(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!cancelled.ok) return failureResponse(cancelled.failure);
    return c.json(await viewTask(ports, cancelled.value), 200);
  });

  app.openapi(answerRoute, async (c) => {
    const key = keyFor(c.get('owner'), c.req.valid('param').id);
    const answered = await answerTask(ports, key, c.req.valid('json'));
    if (!answered.ok) return failureResponse(answered.failure);
    return c.json(handleOf(answered.value, ports.clock.nowMs()), 202);
  });
}

const keyFor = (owner: Owner, id: string): TaskKey => ({ owner, taskId: asTaskId(id) });

export const wrongCursor: Failure = {
  reason: 'invalid_request',
  flaws: [{ path: 'cursor', message: 'not one this list gave' }],
};

const showTool = (tool: Tool) => ({
  name: tool.name,
  description: tool.description,
  long_running: tool.longRunning,
  input_schema: { ...tool.inputSchema },
  ...(tool.outputSchema ? { output_schema: { ...tool.outputSchema } } : {}),
});
