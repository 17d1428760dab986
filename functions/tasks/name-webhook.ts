import type { Owner } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { urlFreshMs } from '../core/webhook-limits.ts';
import { urlEndpoint, type Endpoint } from '../core/webhook.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'webhooks' | 'outbound' | 'clock'>;

/**
 * Keep a URL that a start names as a receiver, before anything points at it. One that was given up on is
 * tried anew: whoever names it again wants it.
 */
export async function nameWebhook(
  ports: Needs,
  owner: Owner,
  named: { readonly url: string; readonly payload?: Endpoint['payload'] | undefined },
): Promise<Result<string>> {
  const { url, payload = 'thin' } = named;
  const refused = await checkUrl(ports, url);
  if (!refused.ok) return refused;
  const nowMs = ports.clock.nowMs();
  const endpoint = urlEndpoint(owner, { url, payload }, nowMs);
  const found = await ports.webhooks.endpoint(endpoint);
  const isFresh = found && found.createdAtMs + urlFreshMs > nowMs;
  if (!isFresh || found.health.state === 'disabled') await ports.webhooks.keepUrl(endpoint);
  return ok(endpoint.endpointId);
}

export async function checkUrl(
  { outbound }: Pick<Ports, 'outbound'>,
  url: string,
): Promise<Result<string>> {
  const why = await outbound.check(url);
  return why === undefined ? ok(url) : refuse({ reason: 'url_refused', detail: why });
}
