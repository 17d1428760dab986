import { expect, it } from 'vitest';
import { useStage } from './stage.ts';
import { declaring, modern, type Wire } from './wire.ts';

let wire: Wire;
useStage('right-after', 'hasty', ({ url, key }) => {
  wire = { url, key: key('alice'), capabilities: declaring };
});

const lanes = 4;
const perLane = 250;

it('finds 1,000 of 1,000 tasks right after they were made', async () => {
  let found = 0;
  const call = { name: 'demo_wait', arguments: { seconds: 0 } };
  const lane = async () => {
    for (let count = 0; count < perLane; count += 1) {
      const { taskId } = (await modern(wire, 'tools/call', call)).answer.result;
      const { answer } = await modern(wire, 'tasks/get', { taskId });
      if (answer.result?.taskId === taskId) found += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(found).toBe(1000);
});
