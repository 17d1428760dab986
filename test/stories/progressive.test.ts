import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { functionMarginMs } from '../../functions/core/limits.ts';
import { meetAgent, meetDoor } from './agent.ts';

const stages = ['Resolved dependencies', 'Downloaded', 'Unpacked', 'Linked'];
const percents = [25, 50, 75, 100];
const reports = stages.map((stage, index) => ({
  percent: percents[index],
  message: `${stage} zod`,
}));
const installed = { status: 'installed', package: 'zod', stages };
const tool = 'install_package';

/** What was seen, without what was there before and what was seen again. */
const distinct = (seen: readonly unknown[]) =>
  [...new Set(seen.filter((one) => one !== undefined).map((one) => JSON.stringify(one)))].map(
    (text): unknown => JSON.parse(text),
  );

describe('pattern 4, a progressive tool: 25, 50, 75, 100', () => {
  it('shows each stage when it is reached, and all of them in the result', async () => {
    const { start, read, house } = meetDoor();
    const { json } = await start({ tool, arguments: { package: 'zod' } });
    const seen: unknown[] = [];
    for (const _ of stages) {
      await house.runFor(1999);
      expect((await read(json.task_id)).progress).toEqual(seen.at(-1));
      await house.runFor(1);
      seen.push((await read(json.task_id)).progress);
    }
    expect(seen).toEqual(reports);
    expect(await read(json.task_id)).toMatchObject({
      status: 'completed',
      result: installed,
      attempt: 1,
    });
    expect(house.verdicts).toEqual(['done', 'done']);
  });

  it('shows an agent that looks meanwhile every stage, in order', async (test) => {
    const { call } = await meetAgent(test);
    const { task_id } = await call(tool, { package: 'zod', duration_s: 12 });
    const seen: unknown[] = [];
    let task: Record<string, unknown> = {};
    while (task.status !== 'completed') {
      await delay(20);
      task = await call('get_task', { task_id });
      seen.push(task.progress);
    }
    expect(distinct(seen)).toEqual(reports);
    expect(task.result).toEqual(installed);
  });

  it('goes on from the stage it had reached when its function ends before it', async () => {
    const functionMs = functionMarginMs + 6000;
    const { start, read, house } = meetDoor({ functionMs });
    const { json } = await start({ tool, arguments: { package: 'zod', duration_s: 16 } });
    const seen: unknown[] = [];
    for (let second = 0; second < 30; second += 1) {
      await house.runFor(1000);
      seen.push((await read(json.task_id)).progress);
    }
    expect(distinct(seen)).toEqual(reports);
    const ended = await read(json.task_id);
    expect(ended).toMatchObject({ status: 'completed', result: installed });
    expect(ended.attempt).toBeGreaterThan(1);
  });
});
