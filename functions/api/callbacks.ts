import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { asTaskId } from '../core/ids.ts';
import { keyOf } from '../core/task.ts';
import { openCallback, wrongToken } from '../tasks/callback.ts';
import { findTask } from '../tasks/find-task.ts';
import { respondToTask, type Answered, type TaskResponse } from '../tasks/respond-to-task.ts';
import { bearerOf } from './auth.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { callbackRoute } from './routes.ts';
import type { callbackBody } from './schemas.ts';

/** Whoever does a task's work elsewhere reports here. The token says which task, and what may be said. */
export function addCallbackRoute(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(callbackRoute, async (c) => {
    const grant = c.get('grant');
    const body = c.req.valid('json');
    const found = await findTask(ports, keyOf(grant));
    if (!found.ok || !grant.verbs.includes(body.status)) return failureResponse(wrongToken);
    const answered = await respondToTask(ports, found.value, responseFrom(body), 'callback');
    if (!answered.ok) return failureResponse(answered.failure);
    return isRepeated(answered.value)
      ? c.json({ outcome: 'already_applied' as const }, 200)
      : c.json({ outcome: 'applied' as const }, 202);
  });
}

/** Before anything of the body is read. */
export const callbackAuth =
  (ports: ApiNeeds): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const token = bearerOf(c.req.raw.headers) ?? '';
    const grant = openCallback(ports, token, asTaskId(c.req.param('task_id') ?? ''));
    if (!grant.ok) return failureResponse(grant.failure);
    c.set('grant', grant.value);
    return next();
  };

function responseFrom(body: z.output<typeof callbackBody>): TaskResponse {
  switch (body.status) {
    case 'progress':
      return { progress: body.progress ?? {} };
    case 'completed':
      return { result: body.result ?? null };
    case 'failed':
      return { error: body.error ?? 'It failed, and did not say why.' };
  }
}

function isRepeated({ outcome }: Answered): boolean {
  switch (outcome) {
    case 'already_resolved':
      return true;
    case 'resolved':
    case 'progressed':
    case 'partial':
      return false;
  }
}
