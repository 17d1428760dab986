import { expect, it } from 'vitest';
import { delayMsMax } from '../../functions/core/limits.ts';
import { work } from '../../functions/worker/work.ts';
import type { WorkMessage } from '../../functions/core/work-message.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const hourMs = 60 * 60_000;

it('the message of a task that is held for hours asks for no longer delay than SQS takes', async () => {
  const run = () => house.clock.sleep(hourMs);
  const house = memoryHouse({ tools: [testTool({ run })], settings: { claimMs: 4 * hourMs } });
  const task = await house.start();
  const [received] = await house.ports.work.receive(1, 0);
  const delivery = { body: received?.body ?? '', receives: 1, hide: async () => {} };
  const endsMs = house.clock.nowMs() + 2 * hourMs;
  const first = work(house.ports, delivery, endsMs);
  await house.clock.advance(1000);
  const sent: [readonly WorkMessage[], number | undefined][] = [];
  const send = async (...given: (typeof sent)[number]) => void sent.push(given);
  expect(await work({ ...house.ports, work: { send } }, delivery, endsMs)).toBe('done');
  const { untilMs } = (await house.task(task)).claim;
  expect(sent).toMatchObject([[[{ notBeforeMs: untilMs }], delayMsMax]]);
  await house.clock.advance(hourMs);
  expect(await first).toBe('done');
});
