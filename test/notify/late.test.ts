import { describe, expect, it } from 'vitest';
import { cachedEndpoints } from '../../functions/adapters/endpoint-cache.ts';
import { keyOf } from '../../functions/core/task.ts';
import { overdueMs, untoldMs } from '../../functions/core/webhook-limits.ts';
import { workMessage } from '../../functions/core/work-message.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { untoldFact } from '../../functions/tasks/untold.ts';
import { answered, receiver } from './receiver.ts';
import { tellingHouse } from './telling-house.ts';

describe('the sweep', () => {
  it('sends again a delivery whose message was lost', async () => {
    const post = receiver((_post, nth) => answered(nth === 1 ? 500 : 200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    await house.tell('task_1');
    await house.runFor(1_000);
    // Whatever is in the queue is lost.
    for (const received of await house.ports.deliveries.receive(10, 0)) await received.remove();
    await house.clock.advance(6_000);
    for (const received of await house.ports.deliveries.receive(10, 0)) await received.remove();
    expect((await sweep(house.ports)).overdue).toBe(0);
    await house.clock.advance(overdueMs + 10_000);
    expect((await sweep(house.ports)).overdue).toBe(1);
    expect((await sweep(house.ports)).overdue).toBe(0);
    await house.runUntilQuiet();
    expect(await house.delivery('task_1')).toMatchObject({ status: 'delivered' });
    expect(house.facts).toContain('webhook overdue');
  });

  it('tells an end that nobody was told of, and says so', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    const task = await house.start();
    await house.ports.tasks.record(task, 'anyone', {
      kind: 'cancelled',
      atMs: house.clock.nowMs(),
    });
    for (const received of await house.ports.work.receive(10, 0)) await received.remove();
    await house.clock.advance(task.deadlineMs - house.clock.nowMs() + 1_000);
    expect((await sweep(house.ports)).untold).toBe(1);
    await house.runUntilQuiet();
    expect(JSON.parse(post.arrivals[0]?.body ?? '')).toMatchObject({ type: 'task.cancelled' });
    expect(house.facts).toContain('ended but not told');
    expect((await sweep(house.ports)).untold).toBe(0);
  });
});

describe('an end that is told late', () => {
  /** Whoever recorded it died before it could tell; its message comes back. */
  const endUntold = async (house: ReturnType<typeof tellingHouse>) => {
    const task = await house.start();
    const atMs = house.clock.nowMs();
    await house.ports.tasks.record(task, 'anyone', { kind: 'cancelled', atMs });
    await house.clock.advance(untoldMs + 1000);
    await house.pump();
    return task;
  };

  it('by the message that came back is worth an alarm, once', async () => {
    const house = tellingHouse({ outbound: receiver(() => answered(200)) });
    await house.register();
    const task = await endUntold(house);
    expect(house.facts.filter((fact) => fact === untoldFact)).toHaveLength(1);
    await house.ports.work.send([workMessage({ kind: 'cancel', ...keyOf(task) })]);
    await house.pump();
    expect(house.facts.filter((fact) => fact === untoldFact)).toHaveLength(1);
  });

  it('is none where nobody listens', async () => {
    const house = tellingHouse({ outbound: receiver(() => answered(200)) });
    await endUntold(house);
    expect(house.facts).not.toContain(untoldFact);
  });

  it('is told even when nobody can say who knows it already', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    await house.register();
    const { webhooks } = house.ports;
    const delivery = () => Promise.reject(new Error('not allowed'));
    Object.assign(house.ports, { webhooks: { ...webhooks, delivery } });
    await endUntold(house);
    Object.assign(house.ports, { webhooks });
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(1);
  });
});

describe('a receiver that registers elsewhere just before an end', () => {
  it('hears of it, whatever was known a moment ago', async () => {
    const post = receiver(() => answered(200));
    const house = tellingHouse({ outbound: post });
    const { webhooks: elsewhere } = house.ports;
    const here = cachedEndpoints(elsewhere, house.clock);
    const task = await house.start();
    await house.clock.advance(1000);
    expect(await here.endpoints(task.owner)).toEqual([]);
    await house.clock.advance(1000);
    await house.register();
    Object.assign(house.ports, { webhooks: here });
    await house.clock.advance(1000);
    await house.pump();
    await house.runUntilQuiet();
    expect(post.arrivals).toHaveLength(1);
  });
});
