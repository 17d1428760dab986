import { memoryAuditStore } from '../../functions/adapters/memory-audit-store.ts';
import { memoryWebhookStore } from '../../functions/adapters/memory-webhook-store.ts';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import type { DeliveryMessage } from '../../functions/core/delivery-message.ts';
import { asOwner } from '../../functions/core/ids.ts';
import { hasEnded, type Task } from '../../functions/core/task.ts';
import { deliveryOf } from '../../functions/core/webhook-delivery.ts';
import type { WebhookAnswer } from '../../functions/core/webhook-health.ts';
import { healthy, webhookTypesDefault, type Endpoint } from '../../functions/core/webhook.ts';
import type { AuditStore, Ports, SignedPost, WebhookStore } from '../../functions/ports.ts';
import { endFact } from '../../functions/tasks/webhook-body.ts';
import { perform } from './effect.ts';
import type { Life } from './life.ts';
import { saw, violate, type World } from './world.ts';

/** Short enough that a delivery is settled within a seed; the real one takes three days. */
export const webhookScheduleMs = [0, 5_000, 30_000, 60_000, 120_000];

/** One receiver, and what it has got. */
export interface WebhookWorld {
  readonly store: WebhookStore;
  readonly audit: AuditStore;
  readonly endpoint: Endpoint;
  readonly bodies: Map<string, string>;
}

export function newWebhookWorld(): WebhookWorld {
  const endpoint: Endpoint = {
    owner: asOwner('ada'),
    endpointId: 'ep_of_the_simulation',
    url: 'https://receiver.example/',
    types: webhookTypesDefault,
    payload: 'thin',
    createdAtMs: 0,
    secrets: { current: 'whsec_c2ltdWxhdGlvbg==' },
    health: healthy,
  };
  const store = memoryWebhookStore();
  void store.putEndpoint(endpoint);
  return { store, audit: memoryAuditStore(), endpoint, bodies: new Map() };
}

type WebhookPorts = Pick<
  Ports,
  'webhooks' | 'audit' | 'outbound' | 'deliveries' | 'newWebhookSecret'
>;

export function webhookPortsFor(world: World, life: Life): WebhookPorts {
  const act = <T>(name: string, apply: () => Promise<T>) => perform(world, life, { name, apply });
  const { store, audit } = world.webhooks;
  return {
    webhooks: struckByFaults(store, act),
    audit: struckByFaults(audit, act),
    outbound: {
      check: async () => undefined,
      post: (webhook) => act(`post ${webhook.webhookId}`, async () => receive(world, webhook)),
    },
    deliveries: {
      send: (messages, delayMs = 0) =>
        act(`deliver ${messages.map(({ deliveryId }) => deliveryId).join(', ')}`, async () =>
          put(world, messages, delayMs),
        ),
    },
    newWebhookSecret: () => `whsec_${world.chance.token()}`,
  };
}

type Act = <T>(name: string, apply: () => Promise<T>) => Promise<T>;

/** Each method of a store, seen by one life. */
function struckByFaults<Store extends object>(store: Store, act: Act): Store {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...given: unknown[]) =>
      act(name, () => (method as (...all: unknown[]) => Promise<unknown>)(...given)),
  ]);
  return Object.fromEntries(methods) as Store;
}

function put(world: World, messages: readonly DeliveryMessage[], delayMs: number): void {
  for (const message of messages) {
    if (world.mutant.dropsDelivery?.(message)) continue;
    world.deliveries.put(asciiJson(message), delayMs);
  }
}

/** Every attempt of a delivery brings the same bytes, and what they say is so. */
function receive(world: World, { webhookId, body }: SignedPost): WebhookAnswer {
  const { bodies } = world.webhooks;
  const before = bodies.get(webhookId);
  if (before !== undefined && before !== body) violate(world, 'S3', `${webhookId} has changed`);
  if (before !== undefined) saw(world, 'webhook came again');
  bodies.set(webhookId, body);
  if (world.faultRate === 0 || world.chance.happens(0.5)) return { kind: 'answered', status: 200 };
  saw(world, 'receiver failed');
  return world.chance.pick<WebhookAnswer>([
    { kind: 'answered', status: 500 },
    { kind: 'answered', status: 429, retryAfterMs: 20_000 },
    { kind: 'answered', status: 302 },
    { kind: 'unanswered', error: 'timed_out' },
  ]);
}

/** L3: every end has a delivery, each is settled, and what was delivered is what the task says. */
export async function checkWebhooksAtRest(world: World, tasks: readonly Task[]): Promise<void> {
  const { store, endpoint, bodies } = world.webhooks;
  const { items } = await store.deliveries(endpoint, { limit: 10_000 });
  for (const { deliveryId, status, type } of items) {
    if (status === 'pending') violate(world, 'L3', `${type} ${deliveryId} is still pending`);
    saw(world, `webhook: ${status}`);
  }
  for (const task of tasks.filter(hasEnded)) {
    const { deliveryId, type } = deliveryOf(endFact(task), endpoint);
    const told = items.find((delivery) => delivery.deliveryId === deliveryId);
    if (!told) violate(world, 'L3', `the end of ${task.taskId} was told to nobody`);
    const body = bodies.get(deliveryId);
    if (body === undefined) continue;
    const said = JSON.parse(body) as { type: string; data: { status: string } };
    if (said.type !== type || said.data.status !== task.state.status) {
      violate(world, 'S3', `${task.taskId} is ${task.state.status}, its webhook says ${body}`);
    }
  }
}
