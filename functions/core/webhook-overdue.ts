import type { WebhookDelivery } from './webhook-delivery.ts';
import { overdueMs, overdueMsMax } from './webhook-limits.ts';

/** When a pending delivery should long have been tried: from then on its message counts as lost. */
export const overdueAtMs = ({ dueMs }: Pick<WebhookDelivery, 'dueMs'>): number => dueMs + overdueMs;

/**
 * It may only be waiting for a slot, with its message on the way: so each look is followed by one twice
 * as far away, and copies of the message stay few.
 */
export const lookAgainMs = (nowMs: number, looks: number): number =>
  nowMs + Math.min(overdueMs * 2 ** looks, overdueMsMax);
