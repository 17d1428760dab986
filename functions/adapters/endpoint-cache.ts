import type { Owner } from '../core/ids.ts';
import { endpointsFreshMs } from '../core/webhook-limits.ts';
import type { Endpoint } from '../core/webhook.ts';
import type { Clock, WebhookStore } from '../ports.ts';

interface Known {
  readonly atMs: number;
  readonly endpoints: Promise<readonly Endpoint[]>;
}

/** Owners whose receivers one process keeps in mind. */
const ownersMax = 1000;

/**
 * Every end of every task asks who listens, and mostly nobody does. Within one process the answer is
 * kept for a few seconds, but never used for an end that is younger: whoever registered before it
 * hears of it.
 */
export function cachedEndpoints(store: WebhookStore, clock: Pick<Clock, 'nowMs'>): WebhookStore {
  const known = new Map<Owner, Known>();
  const forgetAfter = async <T>(owner: Owner, written: Promise<T>): Promise<T> => {
    try {
      return await written;
    } finally {
      known.delete(owner);
    }
  };
  return {
    ...store,
    endpoints(owner, knownSinceMs = -Infinity) {
      const atMs = clock.nowMs();
      const last = known.get(owner);
      const isFresh = last && atMs - last.atMs < endpointsFreshMs && last.atMs > knownSinceMs;
      if (isFresh) return last.endpoints;
      if (known.size >= ownersMax) known.clear();
      const endpoints = store.endpoints(owner);
      known.set(owner, { atMs, endpoints });
      endpoints.catch(() => known.delete(owner));
      return endpoints;
    },
    putEndpoint: (endpoint) => forgetAfter(endpoint.owner, store.putEndpoint(endpoint)),
    removeEndpoint: (key, atMs) => forgetAfter(key.owner, store.removeEndpoint(key, atMs)),
    rotate: (key, from, secrets) => forgetAfter(key.owner, store.rotate(key, from, secrets)),
    setHealth: (key, from, to) => forgetAfter(key.owner, store.setHealth(key, from, to)),
  };
}
