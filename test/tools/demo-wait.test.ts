import { describe, expect, it } from 'vitest';
import { demoHouse } from '../running-house.ts';

const endOf = async (args: Record<string, unknown>) => {
  const house = demoHouse();
  const task = await house.start({ tool: 'demo_wait', arguments: { seconds: 0, ...args } });
  await house.runFor(60_000);
  const ended = await house.task(task);
  return { house, ended };
};

describe('demo_wait', () => {
  it.each([[null], [0], [false], [''], [{ a: [null] }]])('gives back %j', async (result) => {
    const { house, ended } = await endOf({ result });
    expect(await house.ports.tasks.result(ended)).toMatchObject({ json: JSON.stringify(result) });
  });

  it('says how long it waited when it is given nothing', async () => {
    const { house, ended } = await endOf({});
    expect(await house.ports.tasks.result(ended)).toMatchObject({ json: '{"waited_s":0}' });
  });

  it.each([
    [true, 4],
    [false, 1],
  ])('that fails and is idempotent: %s runs %i times', async (idempotent, attempts) => {
    const { ended } = await endOf({ outcome: 'failed', idempotent });
    expect(ended).toMatchObject({
      state: { status: 'failed', error: { code: 'tool_failed' } },
      claim: { fence: attempts },
    });
  });
});
