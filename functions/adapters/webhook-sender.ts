import { Webhook } from 'standardwebhooks';
import type { WebhookAnswer } from '../core/webhook-health.ts';
import { readRetryAfter } from '../core/webhook-schedule.ts';
import type { Clock, Outbound, SignedPost } from '../ports.ts';
import type { GuardedAnswer, GuardedFetch } from './guarded-fetch.ts';

/** Standard Webhooks: signed over id, time and the very bytes of the body. */
export const webhookSender = (fetch: GuardedFetch, clock: Pick<Clock, 'nowMs'>): Outbound => ({
  check: (url) => fetch.check(url),
  async post(webhook) {
    const { url, body } = webhook;
    return shown(await fetch.post({ url, body, headers: webhookHeaders(webhook) }), clock.nowMs());
  },
});

export function webhookHeaders({ webhookId, atMs, body, secrets }: SignedPost) {
  const at = new Date(atMs);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(webhookId, at, body));
  return {
    'content-type': 'application/json',
    'user-agent': 'boomerang',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

function shown(answer: GuardedAnswer, nowMs: number): WebhookAnswer {
  switch (answer.kind) {
    case 'answered': {
      const retryAfterMs = readRetryAfter(answer.retryAfter, nowMs);
      const { kind, status } = answer;
      return { kind, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    case 'refused':
      return { kind: 'unanswered', error: 'url_refused' };
    case 'not resolved':
      return { kind: 'unanswered', error: 'not_resolved' };
    case 'timed out':
      return { kind: 'unanswered', error: 'timed_out' };
    case 'unreachable':
      return { kind: 'unanswered', error: 'unreachable' };
  }
}
