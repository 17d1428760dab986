import { firstMessage } from '../core/delivery-message.ts';
import type { Owner } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { deliveryOf } from '../core/webhook-delivery.ts';
import { endpointsMax, rotationMs } from '../core/webhook-limits.ts';
import {
  endpointKeyOf,
  healthy,
  isEndpointId,
  isUrlEndpoint,
  testType,
  type Endpoint,
  type EndpointKey,
} from '../core/webhook.ts';
import type { Ports } from '../ports.ts';
import { checkUrl } from './name-webhook.ts';

type Needs = Pick<Ports, 'webhooks' | 'clock' | 'newToken' | 'newWebhookSecret'>;

interface WantedEndpoint extends Pick<Endpoint, 'url' | 'types' | 'payload'> {
  readonly owner: Owner;
}

/** An endpoint with the secret that is shown this once. */
interface ShownOnce {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

export async function registerEndpoint(
  ports: Needs & Pick<Ports, 'outbound'>,
  wanted: WantedEndpoint,
): Promise<Result<ShownOnce>> {
  const checked = await checkUrl(ports, wanted.url);
  if (!checked.ok) return checked;
  const known = await ports.webhooks.endpoints(wanted.owner, ports.clock.nowMs());
  if (known.length >= endpointsMax) return refuse(tooMany);
  const secret = ports.newWebhookSecret();
  const endpoint: Endpoint = {
    ...wanted,
    endpointId: `ep_${ports.newToken()}`,
    createdAtMs: ports.clock.nowMs(),
    secrets: { current: secret },
    health: healthy,
  };
  if (!(await ports.webhooks.putEndpoint(endpoint))) throw new Error('Two ids were the same.');
  return ok({ endpoint, secret });
}

const tooMany = {
  reason: 'invalid_request',
  flaws: [{ path: '', message: `at most ${endpointsMax} endpoints: remove one first` }],
} as const;

/** Any receiver: registered, or a URL that a task or a session named. */
export async function findReceiver(
  { webhooks }: Pick<Ports, 'webhooks'>,
  key: EndpointKey,
): Promise<Result<Endpoint>> {
  const found = isEndpointId(key.endpointId) ? await webhooks.endpoint(key) : undefined;
  return found ? ok(found) : notFound;
}

/** Registered ones only: a URL that tasks name has nothing that could be changed. */
const findEndpoint = async (
  ports: Pick<Ports, 'webhooks'>,
  key: EndpointKey,
): Promise<Result<Endpoint>> => (isUrlEndpoint(key) ? notFound : findReceiver(ports, key));

const notFound = refuse({ reason: 'webhook_not_found' });

export async function removeEndpoint(
  ports: Pick<Ports, 'webhooks' | 'clock'>,
  key: EndpointKey,
): Promise<Result<Endpoint>> {
  const found = await findEndpoint(ports, key);
  if (!found.ok) return found;
  return (await ports.webhooks.removeEndpoint(key, ports.clock.nowMs())) ? found : notFound;
}

/** The old secret signs beside the new one for a day. Two rotations at once: one wins, the other learns it. */
export async function rotateSecret(ports: Needs, key: EndpointKey): Promise<Result<ShownOnce>> {
  for (;;) {
    const found = await findEndpoint(ports, key);
    if (!found.ok) return found;
    const before = found.value.secrets?.current ?? '';
    const secret = ports.newWebhookSecret();
    const untilMs = ports.clock.nowMs() + rotationMs;
    const secrets = { current: secret, previous: { secret: before, untilMs } };
    if (await ports.webhooks.rotate(key, before, secrets)) {
      return ok({ endpoint: found.value, secret });
    }
  }
}

/** Whatever types it asks for, it gets this one. */
export async function sendTest(
  ports: Pick<Ports, 'webhooks' | 'deliveries' | 'clock' | 'newToken'>,
  key: EndpointKey,
): Promise<Result<string>> {
  const found = await findReceiver(ports, key);
  if (!found.ok) return found;
  const { owner, endpointId, health } = found.value;
  if (health.state === 'disabled') return refuse({ reason: 'endpoint_disabled' });
  const start = deliveryOf(
    {
      owner,
      type: testType,
      subject: ports.newToken(),
      atMs: ports.clock.nowMs(),
      data: { endpoint_id: endpointId },
    },
    endpointKeyOf(key),
  );
  await ports.deliveries.send([firstMessage(start)]);
  return ok(start.deliveryId);
}
