import {
  deliveryKeyOf,
  type DeliveryAttempt,
  type DeliveryRecord,
  type WebhookDelivery,
} from '../core/webhook-delivery.ts';
import type { AnswerVerdict } from '../core/webhook-health.ts';
import { untoldMs } from '../core/webhook-limits.ts';
import type { Verdict } from '../ports.ts';
import type { NotifyNeeds } from './needs.ts';
import { sendNext } from './send-later.ts';

interface AnswerRecord {
  readonly attempt: DeliveryAttempt;
  readonly verdict: AnswerVerdict;
  /** Of the next attempt; none when there is no other. */
  readonly dueMs: number | undefined;
}

export function recordAnswer(
  ports: NotifyNeeds,
  delivery: WebhookDelivery,
  { attempt, verdict, dueMs }: AnswerRecord,
): Promise<Verdict> {
  const atMs = attempt.atMs + attempt.ms;
  if (dueMs !== undefined) {
    return recordThen(ports, delivery, { attempt, next: { status: 'pending', dueMs } });
  }
  const status = verdict === 'delivered' ? 'delivered' : 'exhausted';
  return recordThen(ports, delivery, { attempt, next: { status, atMs } });
}

/** Its receiver rests: the delivery waits with it, and no attempt is spent. */
export const putOff = (
  ports: NotifyNeeds,
  delivery: WebhookDelivery,
  dueMs: number,
): Promise<Verdict> => recordThen(ports, delivery, { next: { status: 'pending', dueMs } });

/** Given up on without asking its receiver; the log of attempts says why. */
export function settleWithout(
  ports: NotifyNeeds,
  delivery: WebhookDelivery,
  error: string,
): Promise<Verdict> {
  const atMs = ports.clock.nowMs();
  return recordThen(ports, delivery, {
    attempt: { atMs, error, ms: 0 },
    next: { status: 'exhausted', atMs },
  });
}

/** Refused means that it was taken over or begun anew: whoever did that has a message. */
async function recordThen(
  ports: NotifyNeeds,
  delivery: WebhookDelivery,
  record: DeliveryRecord,
): Promise<Verdict> {
  const { fence } = delivery.claim;
  const key = deliveryKeyOf(delivery);
  const recorded = await ports.webhooks.record(key, fence, record);
  const now = recorded ?? (await ports.webhooks.delivery(key));
  if (!now) return 'done';
  if (!recorded && record.attempt && !hasAttempt(now, record.attempt)) {
    await ports.webhooks.addAttempt(key, record.attempt);
  }
  if (now.status === 'pending') {
    noteUnreached(ports, now);
    return sendNext(ports, now);
  }
  await tellSettled(ports, now);
  return 'done';
}

/** A write whose answer was lost is sent again by the client and refused: it stands there all the same. */
const hasAttempt = ({ attempts }: WebhookDelivery, { atMs, ms }: DeliveryAttempt): boolean =>
  attempts.some((one) => one.atMs === atMs && one.ms === ms);

/** A metric counts these words: infra/untold.ts. */
export const unreachedFact = 'receiver not reached';

/** Its receiver was asked and has not taken it for long: that is no fault of the house, but worth knowing. */
function noteUnreached({ clock, log }: NotifyNeeds, delivery: WebhookDelivery): void {
  const forMs = clock.nowMs() - delivery.atMs;
  if (forMs < untoldMs) return;
  const { deliveryId, endpointId } = delivery;
  log('warn', unreachedFact, {
    deliveryId,
    endpointId,
    forS: Math.round(forMs / 1000),
  });
}

/** What was told to whom, and when. The row derives from what is stored: told twice, it is one row. */
export async function tellSettled(
  { audit, log }: Pick<NotifyNeeds, 'audit' | 'log'>,
  delivery: WebhookDelivery,
): Promise<void> {
  const { owner, deliveryId, endpointId, type, status, data, settledAtMs = 0 } = delivery;
  if (status === 'pending') return;
  const attempts = delivery.attempts.length;
  log('info', `webhook ${status}`, { deliveryId, attempts });
  await audit.add(owner, {
    atMs: settledAtMs,
    kind: 'told',
    deliveryId,
    endpointId,
    type,
    outcome: status,
    attempts,
    ...(typeof data.task_id === 'string' ? { taskId: data.task_id } : {}),
    ...(typeof data.session_id === 'string' ? { sessionId: data.session_id } : {}),
  });
}
