import { createHash } from 'node:crypto';
import type { WebhookDelivery } from './webhook-delivery.ts';
import { retryAfterMsMax, webhookJitter } from './webhook-limits.ts';

/** When the next attempt is due after one that failed; none when the schedule has been gone through. */
export function nextDueMs(
  delivery: Pick<WebhookDelivery, 'deliveryId' | 'attempts' | 'attemptsBefore'>,
  failed: { readonly atMs: number; readonly retryAfterMs?: number | undefined },
  scheduleMs: readonly number[],
): number | undefined {
  // The attempt that failed is not among the recorded ones yet.
  const made = delivery.attempts.length - delivery.attemptsBefore + 1;
  const delayMs = scheduleMs[made];
  if (delayMs === undefined) return undefined;
  const waitMs = Math.max(
    jittered(delayMs, delivery.deliveryId, made),
    Math.min(failed.retryAfterMs ?? 0, retryAfterMsMax),
  );
  return failed.atMs + waitMs;
}

/** Drawn from the id, so that a schedule can be told beforehand and a repeated write is the same write. */
export function jittered(delayMs: number, deliveryId: string, attempt: number): number {
  const bytes = createHash('sha256').update(`${deliveryId} ${attempt}`).digest();
  const share = bytes.readUInt32BE(0) / 2 ** 32;
  return Math.round(delayMs * (1 - webhookJitter + 2 * webhookJitter * share));
}

/** Seconds or a date, as HTTP has it; nothing when it is neither. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text.trim())) return Math.min(Number(text) * 1000, retryAfterMsMax);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
