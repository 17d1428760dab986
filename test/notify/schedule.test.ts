import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { webhookScheduleDefaultMs } from '../../functions/core/webhook-limits.ts';
import { jittered } from '../../functions/core/webhook-schedule.ts';
import type { WebhookDelivery } from '../../functions/core/webhook-delivery.ts';
import type { WebhookAnswer } from '../../functions/core/webhook-health.ts';
import { chanceFrom, type Chance } from '../simulation/chance.ts';
import { answered, receiver, verifies, type Arrival } from './receiver.ts';
import { alice, tellingHouse } from './telling-house.ts';

const hourMs = 60 * 60_000;

/** What a receiver out there may do. A reply of 10 MB and one of nothing are the same to us: a status. */
function misbehave(chance: Chance): WebhookAnswer {
  if (chance.happens(0.005)) return answered(410);
  return chance.pick<WebhookAnswer>([
    answered(200),
    answered(204),
    answered(500),
    answered(429, chance.between(1, 7_200) * 1000),
    answered(302),
    { kind: 'unanswered', error: 'timed_out' },
    { kind: 'unanswered', error: 'unreachable' },
  ]);
}

describe('a thousand deliveries to receivers that do as they like', () => {
  it(
    'are all delivered or exhausted, on schedule, none of them doubled',
    { timeout: 60_000 },
    async () => {
      const chance = chanceFrom(7);
      const post = receiver(() => misbehave(chance));
      const house = tellingHouse({ outbound: post });
      const owners = Array.from({ length: 100 }, (_, n) => asOwner(`owner${n}`));
      const ids = new Map<string, string>();
      for (const owner of owners) {
        const { endpointId } = await house.register({ owner });
        ids.set(owner, endpointId);
      }
      for (let n = 0; n < 1000; n += 1) await house.tell(`task_${n}`, owners[n % 100] ?? alice);
      await house.runUntilQuiet();
      const settled: WebhookDelivery[] = [];
      const rested = new Set<string>();
      for (const owner of owners) {
        const key = { owner, endpointId: ids.get(owner) ?? '' };
        settled.push(...(await house.ports.webhooks.deliveries(key, { limit: 100 })).items);
        const { items: rows } = await house.ports.audit.list(owner, { limit: 100 });
        if (rows.some(({ kind }) => kind === 'endpoint')) rested.add(key.endpointId);
      }
      expect(settled).toHaveLength(1000);
      expect(new Set(settled.map(({ status }) => status))).toEqual(
        new Set(['delivered', 'exhausted']),
      );
      const byId = new Map<string, Arrival[]>();
      for (const arrival of post.arrivals) {
        byId.set(arrival.webhookId, [...(byId.get(arrival.webhookId) ?? []), arrival]);
      }
      for (const delivery of settled) {
        const arrivals = byId.get(delivery.deliveryId) ?? [];
        checkSchedule(delivery, arrivals, rested.has(delivery.endpointId));
      }
      expect(rested.size).toBeLessThan(50);
      expect(settled.filter(({ status }) => status === 'delivered').length).toBeGreaterThan(500);
      expect(post.arrivals.length).toBeGreaterThan(2000);
      expect(house.thrown).toEqual([]);
      expect(house.ports.deliveries.size + house.ports.deadDeliveries.size).toBe(0);
    },
  );
});

/** Every attempt that was recorded arrived, and came when the one before said: within the second that SQS counts in. */
function checkSchedule(
  delivery: WebhookDelivery,
  arrivals: readonly Arrival[],
  hasRested: boolean,
): void {
  const { attempts, deliveryId, status } = delivery;
  const made = attempts.filter(({ error }) => error !== 'endpoint_disabled');
  expect(arrivals.map(({ atMs }) => atMs)).toEqual(made.map(({ atMs }) => atMs));
  const last = arrivals.at(-1)?.answer;
  const isOk = last?.kind === 'answered' && last.status < 300;
  expect(status).toBe(isOk ? 'delivered' : 'exhausted');
  for (const [n, arrival] of arrivals.entries()) {
    if (n === 0) continue;
    const before = arrivals[n - 1];
    const { answer } = before ?? {};
    const asked = answer?.kind === 'answered' ? (answer.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(jittered(webhookScheduleDefaultMs[n] ?? 0, deliveryId, n), asked);
    const lateMs = arrival.atMs - (before?.atMs ?? 0) - waitMs;
    // Another delivery of the same receiver may hold the slots for a moment.
    expect(lateMs).toBeGreaterThanOrEqual(0);
    // A receiver that failed for a day is left alone for a while, and its deliveries with it.
    if (!hasRested) expect(lateMs).toBeLessThan(4_000);
  }
}

describe('the schedule', () => {
  it('of a dead receiver is that of Standard Webhooks, within a fifth, and then it ends', async () => {
    const post = receiver(() => answered(503));
    const house = tellingHouse({ outbound: post });
    await house.register();
    await house.tell('task_1');
    await house.runUntilQuiet();
    const times = post.arrivals.map(({ atMs }) => atMs);
    expect(times).toHaveLength(10);
    const waits = times.slice(1).map((atMs, n) => atMs - (times[n] ?? 0));
    for (const [n, waitMs] of waits.entries()) {
      const plannedMs = webhookScheduleDefaultMs[n + 1] ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(plannedMs * 0.8);
      expect(waitMs).toBeLessThanOrEqual(plannedMs * 1.2 + 1_000);
    }
    const total = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(total).toBeGreaterThan(60 * hourMs);
    expect(total).toBeLessThan(91 * hourMs);
    expect(new Set(post.arrivals.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(new Set(post.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(await house.delivery('task_1')).toMatchObject({ status: 'exhausted' });
  });

  it('waits as long as it is asked to', async () => {
    const post = receiver((_post, nth) => (nth === 1 ? answered(429, 2 * hourMs) : answered(200)));
    const house = tellingHouse({ outbound: post });
    await house.register();
    await house.tell('task_1');
    await house.runUntilQuiet();
    const [first, second] = post.arrivals;
    const waitMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(2 * hourMs);
    expect(waitMs).toBeLessThan(2 * hourMs + 1_000);
  });

  it('can be another', async () => {
    const post = receiver(() => answered(500));
    const house = tellingHouse({
      outbound: post,
      settings: { webhookScheduleMs: [0, 1000, 1000] },
    });
    await house.register();
    await house.tell('task_1');
    await house.runFor(10_000);
    expect(post.arrivals).toHaveLength(3);
  });
});

describe('a signature', () => {
  it('is verified by the library of the receiver, with both secrets while a rotation lasts', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    const endpoint = await house.register();
    const old = endpoint.secrets?.current ?? '';
    await house.tell('task_1');
    await house.runFor(1_000);
    const fresh = house.ports.newWebhookSecret();
    const untilMs = house.clock.nowMs() + hourMs;
    const previous = { secret: old, untilMs };
    await house.ports.webhooks.rotate(endpoint, old, { current: fresh, previous });
    await house.tell('task_2');
    await house.runFor(1_000);
    await house.clock.advance(hourMs);
    await house.tell('task_3');
    await house.runFor(1_000);
    const verified = post.arrivals.map((arrival) => [
      verifies(old, arrival),
      verifies(fresh, arrival),
    ]);
    expect(verified).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    const other = house.ports.newWebhookSecret();
    expect(post.arrivals.some((arrival) => verifies(other, arrival))).toBe(false);
  });

  it('of a URL without an endpoint is made with the secret of its owner', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    await house.tellUrl('task_1', 'https://url.example/');
    await house.runFor(1_000);
    const secret = await house.ports.webhooks.ownerSecret(alice, 'another');
    expect(secret).toMatch(/^whsec_/);
    expect(post.arrivals.map((arrival) => verifies(secret, arrival))).toEqual([true]);
  });
});
