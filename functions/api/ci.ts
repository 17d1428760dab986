import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readReport } from '../core/ci/read-report.ts';
import { isCiProvider, type CiDelivery, type CiProvider } from '../core/ci/report.ts';
import { verifyWebhook, type CiSecrets } from '../core/ci/signature.ts';
import { isKeyless, isWorkloadToken, reportBy, type VerifyWorkload } from '../core/ci/workload.ts';
import { digestOf } from '../core/digest.ts';
import type { Failure } from '../core/failure.ts';
import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import { nearBytesMax } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { bytesOf } from '../core/text.ts';
import { workMessage } from '../core/work-message.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { bearerOf } from './auth.ts';
import { bindToken } from './callbacks.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { json, refused } from './routes.ts';

/** By what CI systems are known. Without it nobody is. */
export interface CiAccess {
  readonly secrets: Readonly<Record<CiProvider, CiSecrets>>;
  readonly verifyWorkload: VerifyWorkload;
}

const ciRoute = createRoute({
  method: 'post',
  path: '/callbacks/ci/{provider}',
  // A signature, or the token of a run: not a key of ours.
  security: [],
  request: { params: z.object({ provider: z.string() }) },
  responses: {
    202: json(z.object({ outcome: z.literal('accepted') }), 'It was sent on, or says nothing'),
    ...refused,
  },
});

/**
 * CI systems report here. What they say is verified over the very bytes that came, sent on, and answered:
 * which task it is about, and whether there is one yet, the worker finds out.
 */
export function addCiRoute(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds, ci?: CiAccess): void {
  app.openapi(ciRoute, async (c) => {
    const { provider } = c.req.valid('param');
    const body = new Uint8Array(await c.req.arrayBuffer());
    const known = await deliveryIn(c, ports, ci, provider, body);
    if (!known.ok) {
      const what = isCiProvider(provider) ? `ci.${provider}` : 'ci';
      const { reason: code } = known.failure;
      await noteRefused(ports, { what, code, isStranger: code === 'unauthorized' });
      return failureResponse(known.failure);
    }
    if (known.value) {
      const receivedAtMs = ports.clock.nowMs();
      const token = ports.newToken();
      await ports.work.send([workMessage({ kind: 'ci', ...known.value, token, receivedAtMs })]);
    }
    return c.json({ outcome: 'accepted' as const }, 202);
  });
}

/** The same for every reason: who guesses learns nothing. */
const unknown: Failure = {
  reason: 'unauthorized',
  detail: 'Sign the webhook as its provider does, with the secret that is set here for it.',
};

/** What was delivered, once it is known from whom; undefined when it is about no run. */
async function deliveryIn(
  c: Context<ApiEnv>,
  ports: ApiNeeds,
  ci: CiAccess | undefined,
  provider: string,
  body: Uint8Array,
): Promise<Result<CiDelivery | undefined>> {
  if (!ci || !isCiProvider(provider)) return refuse(unknown);
  const token = bearerOf(c.req.raw.headers);
  if (token !== undefined && isKeyless(provider) && isWorkloadToken(token)) {
    const workload = await ci.verifyWorkload(token, provider);
    if (!workload.ok) return refuse(unknown);
    const said = readBody(body);
    if (!said.ok) return said;
    const read = readReport('generic', said.value);
    if (!read) return refuse(wrongShape);
    const report = reportBy(workload.value, read);
    const speaksFor = report.planted[0] ?? `run ${report.runIds[0] ?? ''}`;
    if (!(await bindToken(ports, workload.value, speaksFor))) return refuse(unknown);
    // The same words again are the same report; a job may have more than one thing to say.
    const deliveryId = digestOf(
      `${workload.value.tokenId} ${Buffer.from(body).toString('latin1')}`,
    );
    return checked({ deliveryId, report });
  }
  const header = (name: string) => c.req.header(name);
  const secrets = ci.secrets[provider];
  const deliveryId = verifyWebhook(provider, { header, body }, secrets, ports.clock.nowMs());
  if (deliveryId === undefined) return refuse(unknown);
  const said = readBody(isForm(c) ? payloadIn(body) : body);
  if (!said.ok) return said;
  const report = readReport(provider, said.value);
  if (!report) return provider === 'generic' ? refuse(wrongShape) : ok(undefined);
  return checked({ deliveryId, report });
}

/** Our own form is told when it is wrong. A system that speaks its own also tells of what is no run. */
const wrongShape: Failure = {
  reason: 'invalid_request',
  flaws: [{ path: 'status', message: 'expected queued, running, completed or failed' }],
};

function checked(delivery: CiDelivery): Result<CiDelivery> {
  const { planted, runIds, result } = delivery.report;
  // It travels in a message of the queue, which takes no more.
  if (result && bytesOf(JSON.stringify(result)) > nearBytesMax) {
    return refuse({ reason: 'body_too_large', bytesMax: nearBytesMax });
  }
  if (planted.length + runIds.length > 0) return ok(delivery);
  const message = 'expected the correlation id of a task, or run_id';
  return refuse({ reason: 'invalid_request', flaws: [{ path: 'boomerang_id', message }] });
}

/** The form is what GitHub sends unless told otherwise; its signature is over the form as it came. */
const isForm = (c: Context<ApiEnv>) =>
  /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '');

const payloadIn = (body: Uint8Array) =>
  Buffer.from(new URLSearchParams(Buffer.from(body).toString('utf8')).get('payload') ?? '');

function readBody(body: Uint8Array): Result<unknown> {
  try {
    const said: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isTooDeep(said) ? refuse({ reason: 'invalid_request', flaws: [tooDeep] }) : ok(said);
  } catch (thrown) {
    return refuse({ reason: 'invalid_json', detail: String(thrown) });
  }
}
