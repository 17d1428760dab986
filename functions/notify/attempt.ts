import type { DeliveryAttempt, WebhookDelivery } from '../core/webhook-delivery.ts';
import { judgeAnswer, type WebhookAnswer } from '../core/webhook-health.ts';
import { nextDueMs } from '../core/webhook-schedule.ts';
import { signingSecrets, type Endpoint } from '../core/webhook.ts';
import { bodyFor } from './body.ts';
import { countAnswer } from './health.ts';
import type { Verdict } from '../ports.ts';
import type { NotifyNeeds } from './needs.ts';
import { putOff, recordAnswer, settleWithout } from './settle.ts';

/** Post one claimed delivery and record what came of it. */
export async function attemptDelivery(
  ports: NotifyNeeds,
  endpoint: Endpoint,
  delivery: WebhookDelivery,
): Promise<Verdict> {
  const { health } = endpoint;
  if (health.state === 'disabled') return settleWithout(ports, delivery, 'endpoint_disabled');
  const isHeld = health.state === 'paused' && health.pausedUntilMs > ports.clock.nowMs();
  if (isHeld) return putOff(ports, delivery, health.pausedUntilMs);
  const beganAtMs = ports.clock.nowMs();
  const answer = await ports.outbound.post({
    url: endpoint.url,
    webhookId: delivery.deliveryId,
    atMs: beganAtMs,
    body: await bodyFor(ports, endpoint, delivery),
    secrets: await secretsOf(ports, endpoint, beganAtMs),
  });
  const atMs = ports.clock.nowMs();
  const attempt = attemptFrom(answer, { beganAtMs, atMs });
  const verdict = judgeAnswer(answer);
  const retryAfterMs = answer.kind === 'answered' ? answer.retryAfterMs : undefined;
  const { webhookScheduleMs } = ports.settings;
  const dueMs =
    verdict === 'failed'
      ? nextDueMs(delivery, { atMs, retryAfterMs }, webhookScheduleMs)
      : undefined;
  const settled = await recordAnswer(ports, delivery, { attempt, verdict, dueMs });
  await countAnswer(ports, endpoint, verdict);
  return settled;
}

async function secretsOf(
  { webhooks, newWebhookSecret }: NotifyNeeds,
  { owner, secrets }: Endpoint,
  nowMs: number,
): Promise<readonly string[]> {
  if (secrets) return signingSecrets(secrets, nowMs);
  return [await webhooks.ownerSecret(owner, newWebhookSecret())];
}

function attemptFrom(
  answer: WebhookAnswer,
  { beganAtMs, atMs }: { readonly beganAtMs: number; readonly atMs: number },
): DeliveryAttempt {
  const times = { atMs: beganAtMs, ms: atMs - beganAtMs };
  return answer.kind === 'answered'
    ? { ...times, status: answer.status }
    : { ...times, error: answer.error };
}
