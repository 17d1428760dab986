import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { disableAfterMs, pauseAfterMs } from '../../functions/core/webhook-limits.ts';
import { healthAfter } from '../../functions/core/webhook-health.ts';
import { healthy } from '../../functions/core/webhook.ts';
import { answered, receiver } from './receiver.ts';
import { alice, tellingHouse } from './telling-house.ts';
import { redeliver } from '../../functions/tasks/redeliver.ts';
import { unreachedFact } from '../../functions/notify/settle.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

describe('a fact', () => {
  it('that is told three times is one delivery', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    for (let n = 0; n < 3; n += 1) await house.tell('task_1');
    await house.runUntilQuiet();
    await house.tell('task_1');
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(1);
    const { items } = await house.ports.audit.list(alice, { limit: 10 });
    expect(items).toMatchObject([
      { kind: 'told', outcome: 'delivered', attempts: 1, taskId: 'task_1' },
    ]);
  });

  it('that nobody asked for costs no message', async () => {
    const house = tellingHouse({ outbound: receiver(() => answered(200)) });
    await house.tell('task_1');
    await house.register({ types: ['task.progressed'] });
    await house.tell('task_2');
    expect(house.ports.deliveries.size).toBe(0);
  });

  it('reaches one that registered before, whatever was known a moment ago', async () => {
    const house = tellingHouse({ outbound: receiver(() => answered(200)) });
    expect(await house.ports.webhooks.endpoints(alice)).toEqual([]);
    await house.register();
    expect(await house.ports.webhooks.endpoints(alice)).toHaveLength(1);
  });

  it('told twice while its receiver is down is retried once, not twice', async () => {
    const post = receiver((_post, nth) => answered(nth < 4 ? 500 : 200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    await house.tell('task_1');
    await house.tell('task_1');
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(4);
    expect(await house.delivery('task_1')).toMatchObject({ status: 'delivered' });
  });
});

describe('a receiver', () => {
  it('that answers 410 is disabled, and what waits for it is given up on', async () => {
    const post = receiver((_post, nth) => answered(nth === 1 ? 500 : 410));
    const house = tellingHouse({ outbound: post });
    const endpoint = await house.register();
    await house.tell('task_1');
    await house.tell('task_2');
    await house.runUntilQuiet();
    expect(await house.ports.webhooks.endpoint(endpoint)).toMatchObject({
      health: { state: 'disabled' },
    });
    expect(await house.delivery('task_1')).toMatchObject({ status: 'exhausted' });
    expect(await house.delivery('task_2')).toMatchObject({ status: 'exhausted' });
    await house.tell('task_3');
    const asked = post.arrivals.length;
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(asked);
    // What it misses is recorded, so that it can be recovered.
    expect(await house.delivery('task_3')).toMatchObject({
      status: 'exhausted',
      attempts: [{ error: 'endpoint_disabled' }],
    });
    const { items } = await house.ports.audit.list(alice, { limit: 10 });
    expect(items.filter(({ kind }) => kind === 'endpoint')).toMatchObject([
      { state: 'disabled', why: 'it answered 410' },
    ]);
  });

  it('that fails for a day is paused, is tried once an hour, and is disabled after five', async () => {
    const post = receiver(() => answered(500));
    const house = tellingHouse({ outbound: post });
    const endpoint = await house.register();
    for (let n = 0; n < 6 * 24; n += 1) {
      await house.tell(`task_${n}`);
      await house.runUntilQuiet(hourMs);
      const spentMs = (n + 1) * hourMs - (house.clock.nowMs() % hourMs);
      if (spentMs > 0) await house.clock.advance(hourMs - (house.clock.nowMs() % hourMs));
    }
    await house.runUntilQuiet();
    const { items } = await house.ports.audit.list(alice, { limit: 1000 });
    const states = items
      .flatMap((row) => (row.kind === 'endpoint' ? [row.state] : []))
      .toReversed();
    expect(states[0]).toBe('paused');
    expect(states.at(-1)).toBe('disabled');
    expect((await house.ports.webhooks.endpoint(endpoint))?.health.state).toBe('disabled');
    const all = await house.ports.webhooks.deliveries(endpoint, { limit: 1000 });
    expect(new Set(all.items.map(({ status }) => status))).toEqual(new Set(['exhausted']));
  });

  it('that answers again is taken for healthy', () => {
    let health = healthy;
    for (let n = 0; n <= 25; n += 1) health = healthAfter(health, 'failed', n * 2 * hourMs);
    expect(health).toMatchObject({ state: 'paused', failures: 26, failingSinceMs: 0 });
    expect(healthAfter(health, 'delivered', 3 * dayMs)).toEqual(healthy);
    expect(healthAfter(health, 'failed', disableAfterMs)).toMatchObject({ state: 'disabled' });
    expect(healthAfter({ ...health, failures: 3 }, 'failed', pauseAfterMs)).toMatchObject({
      state: 'active',
    });
  });

  it('has five of its webhooks at once, and another one is not kept waiting', async () => {
    const house = tellingHouse({
      outbound: receiver(async ({ url }) => {
        if (url === 'https://dead.example/') await house.clock.sleep(15_000);
        return answered(url === 'https://dead.example/' ? 500 : 200);
      }),
    });
    const post = house.ports.outbound as ReturnType<typeof receiver>;
    const [dead, quick] = [asOwner('dead'), asOwner('quick')];
    await house.register({ owner: dead, url: 'https://dead.example/' });
    await house.register({ owner: quick });
    for (let n = 0; n < 40; n += 1) await house.tell(`dead_${n}`, dead);
    await house.tell('quick_1', quick);
    await house.runFor(10_000);
    expect(post.busiest).toBeLessThanOrEqual(6);
    expect(post.arrivals.map(({ url }) => url)).toEqual(['https://receiver.example/']);
    await house.runFor(600_000);
    expect(post.busiest).toBeLessThanOrEqual(6);
    const heard = new Set(post.arrivals.map(({ webhookId }) => webhookId));
    expect(heard.size).toBe(41);
    expect(house.thrown).toEqual([]);
  });

  it('that is well is not kept waiting by its own webhooks', async () => {
    const house = tellingHouse({
      outbound: receiver(async () => {
        await house.clock.sleep(20);
        return answered(200);
      }),
    });
    const post = house.ports.outbound as ReturnType<typeof receiver>;
    await house.register();
    for (let n = 0; n < 150; n += 1) await house.tell(`task_${n}`);
    await house.runFor(6_000);
    expect(post.arrivals).toHaveLength(150);
    expect(post.busiest).toBeLessThanOrEqual(5);
  });

  it('with a URL for each task is one receiver all the same', async () => {
    const house = tellingHouse({
      outbound: receiver(async () => {
        await house.clock.sleep(15_000);
        return answered(500);
      }),
    });
    const post = house.ports.outbound as ReturnType<typeof receiver>;
    for (let n = 0; n < 30; n += 1) await house.tellUrl(`task_${n}`, `https://dead.example/${n}`);
    await house.runFor(60_000);
    expect(post.busiest).toBe(5);
  });

  it('that is asked again while it is being asked has both in its log', async () => {
    const house = tellingHouse({
      outbound: receiver(async () => {
        await house.clock.sleep(5_000);
        return answered(200);
      }),
    });
    await house.register();
    await house.tell('task_1');
    await house.runFor(1_000);
    const delivery = await house.delivery('task_1');
    if (delivery) await redeliver(house.ports, delivery);
    await house.runFor(20_000);
    expect(await house.delivery('task_1')).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 200 }, { status: 200 }],
    });
  });

  it('that fails for over a minute is worth a word', async () => {
    const house = tellingHouse({ outbound: receiver(() => answered(500)) });
    await house.register();
    await house.tell('task_1');
    await house.runFor(30_000);
    expect(house.facts).not.toContain(unreachedFact);
    await house.runFor(10 * 60_000);
    expect(house.facts).toContain(unreachedFact);
  });

  it('that was removed gets nothing more, and that is recorded', async () => {
    const post = receiver(() => answered(500));
    const house = tellingHouse({ outbound: post });
    const endpoint = await house.register();
    await house.tell('task_1');
    await house.runFor(1_000);
    await house.ports.webhooks.removeEndpoint(endpoint, house.clock.nowMs());
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(1);
    const gone = await house.delivery('task_1');
    expect(gone).toMatchObject({ status: 'exhausted' });
    expect(gone?.attempts.at(-1)).toMatchObject({ error: 'endpoint_removed' });
  });
});

describe('a notifier that dies', () => {
  it('after the post is followed by another, under the same id', async () => {
    let dies = true;
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    const { webhooks: store } = house.ports;
    const webhooks: typeof store = {
      ...store,
      async record(key, fence, record) {
        if (dies) throw new Error('died');
        return store.record(key, fence, record);
      },
    };
    Object.assign(house.ports, { webhooks });
    await house.tell('task_1');
    await house.runFor(1_000);
    dies = false;
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(2);
    expect(new Set(post.arrivals.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(await house.delivery('task_1')).toMatchObject({ status: 'delivered' });
  });
});
