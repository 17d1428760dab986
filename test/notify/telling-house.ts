import type { Owner } from '../../functions/core/ids.ts';
import { deliveryOf, type WebhookFact } from '../../functions/core/webhook-delivery.ts';
import { healthy, webhookTypesDefault, type Endpoint } from '../../functions/core/webhook.ts';
import { notify } from '../../functions/notify/notify.ts';
import { nameWebhook } from '../../functions/tasks/name-webhook.ts';
import { tellWebhooks } from '../../functions/tasks/tell-webhooks.ts';
import { alice, memoryHouse, type HouseOptions } from '../house.ts';

export { alice } from '../house.ts';

const dayMs = 24 * 60 * 60_000;

/** A house in which only webhooks happen, and time goes from one of them to the next. */
export function tellingHouse(options: HouseOptions) {
  const house = memoryHouse(options);
  const { ports, clock } = house;
  const thrown: unknown[] = [];
  const factOf = (subject: string, owner: Owner): WebhookFact => ({
    owner,
    type: 'task.completed',
    subject,
    atMs: ports.clock.nowMs(),
    data: { task_id: subject, status: 'completed' },
  });
  const facts = new Map<string, WebhookFact>();
  let newest: Endpoint | undefined;
  const handleAll = async () => {
    for (;;) {
      const batch = await ports.deliveries.receive(10, 0);
      if (batch.length === 0) return;
      const handled = batch.map(async (received) => {
        try {
          if ((await notify(ports, received)) === 'done') await received.remove();
        } catch (error) {
          thrown.push(error);
        }
      });
      await Promise.all(handled);
    }
  };
  return {
    ...house,
    thrown,
    handleAll,
    async register(given: Partial<Endpoint> = {}): Promise<Endpoint> {
      newest = {
        owner: alice,
        endpointId: `ep_${ports.newToken()}`,
        url: 'https://receiver.example/',
        types: webhookTypesDefault,
        payload: 'thin',
        createdAtMs: clock.nowMs(),
        secrets: { current: ports.newWebhookSecret() },
        health: healthy,
        ...given,
      };
      await ports.webhooks.putEndpoint(newest);
      return newest;
    },
    async tell(subject: string, owner: Owner = alice): Promise<void> {
      const fact = facts.get(subject) ?? factOf(subject, owner);
      facts.set(subject, fact);
      await tellWebhooks(ports, { fact });
    },
    async tellUrl(subject: string, url: string): Promise<void> {
      const named = await nameWebhook(ports, alice, { url });
      const webhookId = named.ok ? named.value : undefined;
      await tellWebhooks(ports, { fact: factOf(subject, alice), webhookId });
    },
    async delivery(subject: string, endpoint = newest) {
      const fact = facts.get(subject);
      if (!fact || !endpoint) throw new Error('Nothing was told.');
      return ports.webhooks.delivery(deliveryOf(fact, endpoint));
    },
    async runFor(ms: number): Promise<void> {
      for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
        void handleAll();
        await clock.advance(Math.min(1000, leftMs));
      }
      void handleAll();
      await clock.advance(0);
    },
    /** From one message to the next until there is none. */
    async runUntilQuiet(forMsMax = 30 * dayMs): Promise<void> {
      const endMs = clock.nowMs() + forMsMax;
      while (ports.deliveries.size > 0 && clock.nowMs() < endMs) {
        await clock.advance(Math.max(0, ports.deliveries.nextAtMs - clock.nowMs()));
        await handleAll();
      }
    },
  };
}
