import type { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { memoryQueue } from '../../functions/adapters/memory-queue.ts';
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts';
import { delayMsMax } from '../../functions/core/limits.ts';
import { virtualClock } from '../house.ts';

const dayMs = 24 * 60 * 60_000;

it.each([
  [1, 1],
  [1001, 2],
  [delayMsMax, 900],
  [delayMsMax + 1, 900],
  [dayMs, 900],
])(
  'SQS is asked for a delay of %i ms as %i s, never for more than it takes',
  async (ms, delayS) => {
    const inputs: { DelaySeconds?: number; Entries?: { DelaySeconds?: number }[] }[] = [];
    const send = async ({ input }: { input: object }) => {
      inputs.push(input);
      return {};
    };
    const queue = sqsQueue({ client: { send } as unknown as SQSClient, url: 'http://queue' });
    await queue.send(['one'], ms);
    await queue.send(['two', 'three'], ms);
    expect(inputs).toMatchObject([
      { DelaySeconds: delayS },
      { Entries: [{ DelaySeconds: delayS }, { DelaySeconds: delayS }] },
    ]);
  },
);

it('the queue in memory shows a message after the longest delay of SQS at the latest', async () => {
  const clock = virtualClock(0);
  const queue = memoryQueue({ clock, visibilityMs: 1000 });
  await queue.send(['one'], dayMs);
  await clock.advance(delayMsMax - 1);
  expect(await queue.receive(1, 0)).toEqual([]);
  await clock.advance(1);
  expect(await queue.receive(1, 0)).toHaveLength(1);
});
