import type { Owner } from './ids.ts';
import { webhookRetentionMs } from './webhook-limits.ts';
import { shortDigest, type EndpointKey, type testType, type WebhookType } from './webhook.ts';

/** What a webhook says of its subject. Small by itself: the values of a task are not in it. */
export type WebhookData = Readonly<Record<string, unknown>>;

/** Something that happened and that others may want to be told of. */
export interface WebhookFact {
  readonly owner: Owner;
  readonly type: WebhookType | typeof testType;
  /** What makes it this fact and no other: the same subject is told once. */
  readonly subject: string;
  readonly atMs: number;
  readonly data: WebhookData;
}

export interface DeliveryKey {
  readonly owner: Owner;
  readonly deliveryId: string;
}

/** Everything that is known of a delivery when it begins, and never changes. */
export interface DeliveryStart extends DeliveryKey, EndpointKey {
  readonly type: WebhookFact['type'];
  readonly atMs: number;
  readonly data: WebhookData;
}

/** One fact on its way to one receiver. */
export interface WebhookDelivery extends DeliveryStart {
  readonly status: 'pending' | 'delivered' | 'exhausted';
  readonly attempts: readonly DeliveryAttempt[];
  /** Attempts before the schedule began anew; zero unless somebody asked for it again. */
  readonly attemptsBefore: number;
  /** When the next attempt is due. */
  readonly dueMs: number;
  readonly claim: { readonly fence: number; readonly untilMs: number; readonly token: string };
  readonly settledAtMs: number | undefined;
}

export interface DeliveryAttempt {
  readonly atMs: number;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
}

export interface DeliveryClaim extends DeliveryKey {
  /** Only a message that still carries it may bring the delivery into being. */
  readonly start: DeliveryStart | undefined;
  readonly token: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/** What became of a claim: an attempt or none, and how it goes on. */
export interface DeliveryRecord {
  readonly attempt?: DeliveryAttempt | undefined;
  readonly next:
    | { readonly status: 'pending'; readonly dueMs: number }
    | { readonly status: 'delivered' | 'exhausted'; readonly atMs: number };
}

/** Telling one receiver of one fact twice is one delivery, and its id is the receiver's key against doubles. */
export function deliveryOf({ subject, ...fact }: WebhookFact, endpoint: EndpointKey) {
  const { owner, type, atMs, data } = fact;
  const { endpointId } = endpoint;
  const deliveryId = `msg_${shortDigest([owner, endpointId, type, subject], 24)}`;
  return { owner, endpointId, deliveryId, type, atMs, data } satisfies DeliveryStart;
}

export const isDeliveryId = (value: string) => /^msg_[A-Za-z0-9_-]{32}$/.test(value);

export const deliveryKeyOf = ({ owner, deliveryId }: DeliveryKey): DeliveryKey => ({
  owner,
  deliveryId,
});

export function claimDelivery(
  found: WebhookDelivery | undefined,
  { start, token, nowMs, untilMs }: DeliveryClaim,
): WebhookDelivery | undefined {
  const delivery = found ?? (start && newDelivery(start, nowMs));
  if (delivery?.status !== 'pending') return undefined;
  if (delivery.claim.untilMs > nowMs || delivery.dueMs > nowMs) return undefined;
  return { ...delivery, claim: { fence: delivery.claim.fence + 1, untilMs, token } };
}

const newDelivery = (start: DeliveryStart, dueMs: number): WebhookDelivery => ({
  ...start,
  status: 'pending',
  attempts: [],
  attemptsBefore: 0,
  dueMs,
  claim: { fence: 0, untilMs: 0, token: '' },
  settledAtMs: undefined,
});

export function recordDelivery(
  delivery: WebhookDelivery,
  fence: number,
  { attempt, next }: DeliveryRecord,
): WebhookDelivery | undefined {
  if (delivery.status !== 'pending' || delivery.claim.fence !== fence) return undefined;
  const attempts = attempt ? [...delivery.attempts, attempt] : delivery.attempts;
  const claim = { ...delivery.claim, untilMs: 0 };
  if (next.status === 'pending') return { ...delivery, attempts, claim, dueMs: next.dueMs };
  return { ...delivery, attempts, claim, status: next.status, settledAtMs: next.atMs };
}

/** An attempt that was under way when the schedule began anew belongs to what was before. */
export const addAttempt = (
  delivery: WebhookDelivery,
  attempt: DeliveryAttempt,
): WebhookDelivery => ({
  ...delivery,
  attempts: [...delivery.attempts, attempt],
  attemptsBefore: delivery.attemptsBefore + 1,
});

/** Send it again from the first attempt on, whatever became of it. */
export const reopenDelivery = (delivery: WebhookDelivery, atMs: number): WebhookDelivery => ({
  ...delivery,
  status: 'pending',
  attemptsBefore: delivery.attempts.length,
  dueMs: atMs,
  // Whoever is at it has no say any more.
  claim: { ...delivery.claim, fence: delivery.claim.fence + 1, untilMs: 0 },
  settledAtMs: undefined,
});

/** DynamoDB deletes late, so what has expired is ignored by whoever reads it. */
export const hasDeliveryExpired = ({ settledAtMs }: WebhookDelivery, nowMs: number): boolean =>
  settledAtMs !== undefined && settledAtMs + webhookRetentionMs <= nowMs;

/** Where a list of deliveries goes on. */
export const deliveryCursor = ({ atMs, deliveryId }: WebhookDelivery) => `${atMs}.${deliveryId}`;

export function readDeliveryCursor(
  text: string,
): Pick<WebhookDelivery, 'atMs' | 'deliveryId'> | undefined {
  const match = /^(\d{1,15})\.(msg_[A-Za-z0-9_-]{32})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { atMs: Number(match[1]), deliveryId: match[2] };
}
