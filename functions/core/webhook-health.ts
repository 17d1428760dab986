import { disableAfterMs, pauseAfterFailures, pauseAfterMs, pauseMs } from './webhook-limits.ts';
import { healthy, type EndpointHealth } from './webhook.ts';

/** What a receiver answered, or why it did not. */
export type WebhookAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'unanswered'; readonly error: UnansweredReason };

type UnansweredReason = 'timed_out' | 'url_refused' | 'not_resolved' | 'unreachable';

export type AnswerVerdict = 'delivered' | 'failed' | 'gone';

/** A redirect is a failure: where it leads to was never checked, and nobody registered it. */
export function judgeAnswer(answer: WebhookAnswer): AnswerVerdict {
  if (answer.kind === 'unanswered') return 'failed';
  if (answer.status >= 200 && answer.status < 300) return 'delivered';
  return answer.status === 410 ? 'gone' : 'failed';
}

/** How a receiver stands after an answer. One that is gone, or fails for days, is not asked any more. */
export function healthAfter(
  health: EndpointHealth,
  verdict: AnswerVerdict,
  nowMs: number,
): EndpointHealth {
  if (health.state === 'disabled') return health;
  if (verdict === 'delivered') return healthy;
  const failures = health.failures + 1;
  const failingSinceMs = health.failingSinceMs ?? nowMs;
  const failing = { failures, failingSinceMs, pausedUntilMs: 0 };
  const lastedMs = nowMs - failingSinceMs;
  if (verdict === 'gone' || lastedMs >= disableAfterMs) return { ...failing, state: 'disabled' };
  const isPaused = failures >= pauseAfterFailures && lastedMs >= pauseAfterMs;
  if (!isPaused) return { ...failing, state: 'active' };
  return { ...failing, state: 'paused', pausedUntilMs: nowMs + pauseMs };
}

/** Its last answer was as it should be. */
export const isWell = ({ health }: { readonly health: EndpointHealth }): boolean =>
  health.state === 'active' && health.failures === 0;

export const isSameHealth = (a: EndpointHealth, b: EndpointHealth): boolean =>
  a.state === b.state && a.failures === b.failures && a.pausedUntilMs === b.pausedUntilMs;
