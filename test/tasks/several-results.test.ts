import { describe, expect, it } from 'vitest';
import { ok } from '../../functions/core/result.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { openHouse, resultOf } from './open-house.ts';

describe('responses to a call with several results', () => {
  const three = { results: () => ({ min: 3, max: 3 }) };

  it('are partial until the last', async () => {
    const { house, ports, rings, handleAll, task, respond } = await openHouse(three);
    const partial = (received: number) => ok({ outcome: 'partial', received, expected: 3 });
    expect(await respond({ result: 'a' })).toEqual(partial(1));
    expect(await respond({ result: 'b' })).toEqual(partial(2));
    expect(rings).toHaveLength(2);
    expect(ports.work.size).toBe(0);
    expect((await house.task(task)).state.status).toBe('working');
    expect(await respond({ result: 'c' })).toEqual(
      ok({ outcome: 'resolved', received: 3, expected: 3 }),
    );
    await handleAll();
    expect(rings).toHaveLength(3);
    const ended = await house.task(task);
    const parts = [1, 2].map(async (n) => readValue(ports, await ports.tasks.part(ended, n)));
    expect(await Promise.all(parts)).toEqual(['a', 'b']);
    expect(await resultOf(house, ended)).toBe('c');
  });

  it('said twice in a row count once, and ring again', async () => {
    const { house, rings, task, respond } = await openHouse(three);
    await respond({ result: 'a' });
    await respond({ result: 'b' });
    expect(await respond({ result: 'b' })).toEqual(
      ok({ outcome: 'already_resolved', received: 2, expected: 3 }),
    );
    expect((await house.task(task)).parts).toBe(2);
    expect(rings).toHaveLength(3);
  });

  it('of twenty at once fill it, and the rest learn of the end', async () => {
    const { house, task, respond } = await openHouse(three);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => respond({ result: n })));
    const outcomes = answers.map((answer) => (answer.ok ? answer.value.outcome : 'refused'));
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    expect([count('partial'), count('resolved'), count('refused')]).toEqual([2, 1, 17]);
    expect(await house.task(task)).toMatchObject({ parts: 2, sequence: 3 });
  });

  it('end at once by an error', async () => {
    const { house, task, respond } = await openHouse(three);
    await respond({ result: 'a' });
    expect(await respond({ error: 'no' })).toMatchObject({ value: { outcome: 'resolved' } });
    expect(await house.task(task)).toMatchObject({ parts: 1, state: { status: 'failed' } });
  });
});
