import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { correlationIdOf } from '../core/ci/correlation.ts';
import { isWorkloadToken, type Workload } from '../core/ci/workload.ts';
import { asTaskId } from '../core/ids.ts';
import { bodyBytesMax } from '../core/limits.ts';
import { hasEnded, keyOf } from '../core/task.ts';
import { fullGrant, openCallback, wrongToken, type CallbackGrant } from '../tasks/callback.ts';
import { maySpeakFor, plantedTask } from '../tasks/ci-binding.ts';
import { findTask } from '../tasks/find-task.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { respondToTask, type Answered, type TaskResponse } from '../tasks/respond-to-task.ts';
import { bearerOf } from './auth.ts';
import type { CiAccess } from './ci.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { callbackRoute } from './routes.ts';
import { callbackBody } from './schemas.ts';

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

/** Before anything of the body is read. Its own token, or that of a run which is trusted. */
export const callbackAuth =
  (ports: ApiNeeds, ci?: CiAccess): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const token = bearerOf(c.req.raw.headers) ?? '';
    const taskId = asTaskId(c.req.param('task_id') ?? '');
    const opened = openCallback(ports, token, taskId);
    if (opened.ok) {
      c.set('grant', opened.value.grant);
      if (!opened.value.isExpired) return next();
      await keepExpired(ports, opened.value.grant, c.req.raw);
      return failureResponse({ reason: 'token_expired' });
    }
    if (!ci || !isWorkloadToken(token)) return failureResponse(opened.failure);
    const workload = await ci.verifyWorkload(token);
    // Whoever runs somewhere trusted still speaks only for a task that gave its id to someone outside.
    const key = workload.ok ? await plantedTask(ports, taskId) : undefined;
    if (!workload.ok || !key || !maySpeakFor(key, workload.value)) {
      return failureResponse(wrongToken);
    }
    const speaksFor = correlationIdOf(taskId);
    if (!(await bindToken(ports, workload.value, speaksFor))) return failureResponse(wrongToken);
    c.set('grant', fullGrant(key));
    return next();
  };

/**
 * A token expires with its task's deadline, so whoever comes after that is refused. What it brings is what
 * the task has timed out waiting for: it is kept as its late result, and nothing else is made of it.
 */
async function keepExpired(ports: ApiNeeds, grant: CallbackGrant, request: Request): Promise<void> {
  const found = await findTask(ports, keyOf(grant));
  if (!found.ok || !hasEnded(found.value) || !grant.verbs.includes('completed')) return;
  const body = callbackBody.safeParse(await readBounded(request));
  if (body.success && body.data.status === 'completed') {
    await respondToTask(ports, found.value, responseFrom(body.data), 'callback');
  }
}

/** The JSON of a body that is not too large; nothing otherwise. */
async function readBounded({ body }: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Each refusal is noted once it is made, by whichever of the steps behind this one. */
export const noteRefusals =
  (ports: ApiNeeds): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    await next();
    const { status } = c.res;
    if (status < 400 || status >= 500) return;
    const { code } = (await c.res.clone().json()) as { readonly code: string };
    const named = asTaskId(c.req.param('task_id') ?? '');
    const grant = c.get('grant');
    const { owner, taskId } = grant ?? (await plantedTask(ports, named)) ?? {};
    await noteRefused(ports, { what: 'callback', code, owner, taskId, isStranger: !grant });
  };

/** A run's token speaks for the task it was first shown for, and for no other. */
export const bindToken = (
  { ci }: Pick<ApiNeeds, 'ci'>,
  { tokenId }: Workload,
  speaksFor: string,
): Promise<boolean> => ci.take(`token#${tokenId}`, speaksFor);

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
