import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { isWorkloadToken } from '../core/ci/workload.ts';
import { digestOf } from '../core/digest.ts';
import { asTaskId } from '../core/ids.ts';
import { keyOf } from '../core/task.ts';
import { fullGrant, openCallback, wrongToken } from '../tasks/callback.ts';
import { maySpeakFor, plantedTask } from '../tasks/ci-binding.ts';
import { findTask } from '../tasks/find-task.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { respondToTask, type Answered, type TaskResponse } from '../tasks/respond-to-task.ts';
import { bearerOf } from './auth.ts';
import type { CiAccess } from './ci.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { callbackRoute } from './routes.ts';
import type { callbackBody } from './schemas.ts';

/** Whoever does a task's work elsewhere reports here. The token says which task, and what may be said. */
export function addCallbackRoute(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(callbackRoute, async (c) => {
    const grant = c.get('grant');
    const body = c.req.valid('json');
    if (!(await isFirstUse(ports, c.get('workloadToken'), await c.req.text()))) {
      return failureResponse(wrongToken);
    }
    const found = await findTask(ports, keyOf(grant));
    if (!found.ok || !grant.verbs.includes(body.status)) return failureResponse(wrongToken);
    const answered = await respondToTask(ports, found.value, responseFrom(body), 'callback');
    if (!answered.ok) return failureResponse(answered.failure);
    return isRepeated(answered.value)
      ? c.json({ outcome: 'already_applied' as const }, 200)
      : c.json({ outcome: 'applied' as const }, 202);
  });
}

/** Before anything of the body is read. Its own token, or that of a run which is trusted. */
export const callbackAuth =
  (ports: ApiNeeds, ci?: CiAccess): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const token = bearerOf(c.req.raw.headers) ?? '';
    const taskId = asTaskId(c.req.param('task_id') ?? '');
    const grant = openCallback(ports, token, taskId);
    if (grant.ok) {
      c.set('grant', grant.value);
      return next();
    }
    if (!ci || !isWorkloadToken(token)) return failureResponse(grant.failure);
    const workload = await ci.verifyWorkload(token);
    // Whoever runs somewhere trusted still speaks only for a task that gave its id to someone outside.
    const key = workload.ok ? await plantedTask(ports, taskId) : undefined;
    if (!workload.ok || !key || !maySpeakFor(key, workload.value)) {
      return failureResponse(wrongToken);
    }
    c.set('grant', fullGrant(key));
    c.set('workloadToken', workload.value.tokenId);
    return next();
  };

/** Each refusal is noted once it is made, by whichever of the steps behind this one. */
export const noteRefusals =
  (ports: ApiNeeds): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    await next();
    const { status } = c.res;
    if (status < 400 || status >= 500) return;
    const { code } = (await c.res.clone().json()) as { readonly code: string };
    const taskId = asTaskId(c.req.param('task_id') ?? '');
    const key = c.get('grant') ?? (await plantedTask(ports, taskId));
    await noteRefused(ports, { what: 'callback', code, owner: key?.owner, taskId: key?.taskId });
  };

/** A run's token is good for one report; the same report again is one whose answer was lost. */
async function isFirstUse(
  ports: ApiNeeds,
  tokenId: string | undefined,
  body: string,
): Promise<boolean> {
  return tokenId === undefined || ports.ci.take(`callback#${tokenId}`, digestOf(body));
}

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
