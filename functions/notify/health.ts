import { healthAfter, isSameHealth, type AnswerVerdict } from '../core/webhook-health.ts';
import { endpointKeyOf, type Endpoint } from '../core/webhook.ts';
import type { NotifyNeeds } from './needs.ts';

type Needs = Pick<NotifyNeeds, 'webhooks' | 'audit' | 'clock' | 'log'>;

/**
 * Count an answer for its receiver. Refused means that another has counted meanwhile, and one more or
 * less does not matter. A receiver that answers as ever costs no write.
 */
export async function countAnswer(
  ports: Needs,
  endpoint: Endpoint,
  verdict: AnswerVerdict,
): Promise<void> {
  try {
    await count(ports, endpoint, verdict);
  } catch {
    // The attempt is recorded; for the sake of a count nobody is asked twice.
    ports.log('warn', 'answer not counted', { endpointId: endpoint.endpointId });
  }
}

async function count(ports: Needs, endpoint: Endpoint, verdict: AnswerVerdict): Promise<void> {
  const atMs = ports.clock.nowMs();
  const { health } = endpoint;
  const next = healthAfter(health, verdict, atMs);
  if (isSameHealth(health, next)) return;
  const isSet = await ports.webhooks.setHealth(endpointKeyOf(endpoint), health, next);
  if (!isSet || next.state === 'active' || next.state === health.state) return;
  const { owner, endpointId } = endpoint;
  const why = verdict === 'gone' ? 'it answered 410' : `${next.failures} failures in a row`;
  ports.log('warn', `endpoint ${next.state}`, { endpointId });
  await ports.audit.add(owner, { atMs, kind: 'endpoint', endpointId, state: next.state, why });
}
