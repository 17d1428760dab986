import { createHash } from 'node:crypto';
import type { Owner } from './ids.ts';

/** What a receiver may ask to be told of. */
export const webhookTypes = [
  'task.progressed',
  'task.completed',
  'task.failed',
  'task.cancelled',
  'session.input_required',
  'session.turn_completed',
] as const;

export type WebhookType = (typeof webhookTypes)[number];

/** Progress may come by the hundred, so only who asks for it gets it. */
export const webhookTypesDefault: readonly WebhookType[] = webhookTypes.filter(
  (type) => type !== 'task.progressed',
);

/** Sent on request, to see whether a receiver is there. */
export const testType = 'webhook.test';

export interface EndpointKey {
  readonly owner: Owner;
  readonly endpointId: string;
}

/** One receiver: registered by its owner, or a URL that a task or a session named. */
export interface Endpoint extends EndpointKey {
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly payload: 'thin' | 'full';
  readonly createdAtMs: number;
  /** A URL without a registration has none: it is signed with its owner's secret. */
  readonly secrets: EndpointSecrets | undefined;
  readonly health: EndpointHealth;
}

export interface EndpointSecrets {
  readonly current: string;
  /** Signs as well until its time is up, so that receivers change theirs without losing a webhook. */
  readonly previous?: { readonly secret: string; readonly untilMs: number } | undefined;
}

export interface EndpointHealth {
  readonly state: 'active' | 'paused' | 'disabled';
  /** Failures in a row, and since when. */
  readonly failures: number;
  readonly failingSinceMs: number | undefined;
  /** A paused receiver is tried again from then on. */
  readonly pausedUntilMs: number;
}

export const healthy: EndpointHealth = {
  state: 'active',
  failures: 0,
  failingSinceMs: undefined,
  pausedUntilMs: 0,
};

export const endpointKeyOf = ({ owner, endpointId }: EndpointKey): EndpointKey => ({
  owner,
  endpointId,
});

/** A URL that is named twice is one receiver: its failures count together, and so do its deliveries at once. */
export const urlEndpointId = (
  owner: Owner,
  url: string,
  payload: Endpoint['payload'] = 'thin',
): string => `url_${shortDigest(['url', owner, url, payload], 16)}`;

export const isUrlEndpoint = ({ endpointId }: Pick<EndpointKey, 'endpointId'>) =>
  endpointId.startsWith('url_');

/**
 * Whose deliveries at once are counted together: those to one registered endpoint, and those to all URLs of
 * one host, or a receiver with a URL for each task would be asked without end.
 */
export function slotsKeyOf({
  owner,
  endpointId,
  url,
}: Pick<Endpoint, 'owner' | 'endpointId' | 'url'>): EndpointKey {
  if (!endpointId.startsWith('url_')) return { owner, endpointId };
  return { owner, endpointId: `host_${shortDigest(['host', owner, hostIn(url)], 16)}` };
}

const hostIn = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/** What could be an id of ours; anything else is not found without a look. */
export const isEndpointId = (value: string) => /^(ep|url)_[A-Za-z0-9_-]{16,43}$/.test(value);

export function urlEndpoint(
  owner: Owner,
  { url, payload = 'thin' }: { readonly url: string; readonly payload?: Endpoint['payload'] },
  createdAtMs: number,
): Endpoint {
  return {
    owner,
    endpointId: urlEndpointId(owner, url, payload),
    url,
    types: webhookTypesDefault,
    payload,
    createdAtMs,
    secrets: undefined,
    health: healthy,
  };
}

/** Old and new sign side by side while a rotation lasts. */
export function signingSecrets(
  { current, previous }: EndpointSecrets,
  nowMs: number,
): readonly string[] {
  return previous && previous.untilMs > nowMs ? [current, previous.secret] : [current];
}

export const shortDigest = (parts: readonly unknown[], bytes: number): string =>
  createHash('sha256')
    .update(JSON.stringify(parts))
    .digest()
    .subarray(0, bytes)
    .toString('base64url');
