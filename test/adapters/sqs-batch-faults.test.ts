import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { batchHandler, type HandleOne } from '../../functions/adapters/sqs-batch.ts';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import type { LogData } from '../../functions/ports.ts';

const claimMs = 120_000;
const context = { getRemainingTimeInMillis: () => 500 } as Context;

async function handle(handleOne: HandleOne, body: string, away = false) {
  const told: [string, LogData | undefined][] = [];
  const hidden: number[] = [];
  const handler = batchHandler(handleOne, {
    clock: { nowMs: () => 0 },
    settings: { claimMs },
    log: (_level, fact, data) => void told.push([fact, data]),
    async hide(_handle, ms) {
      if (away) throw new Error('the queue is away');
      hidden.push(ms);
    },
  });
  const record = { body, messageId: 'm', receiptHandle: 'r', eventSource: 'aws:sqs' };
  const attributes = { ApproximateReceiveCount: '1' };
  const batch = { Records: [{ ...record, attributes }] } as unknown as SQSEvent;
  const { batchItemFailures } = await handler(batch, context);
  return { told, hidden, kept: batchItemFailures.length };
}

const json = asciiJson({ secret: 'of a caller', taskId: 'task_of_another' });
const start = { taskId: 'task_1', arguments: { at: 'near', json } };
const run = asciiJson({ v: 1, kind: 'run', start });
const burn = async () => {
  throw new TypeError('secret of a caller');
};

describe('a message that is not done', () => {
  it.each([
    [run, { taskId: 'task_1' }],
    [asciiJson({ v: 1, kind: 'cancel', owner: 'alice', taskId: 'task_2' }), { taskId: 'task_2' }],
    [asciiJson({ v: 1, kind: 'ring', sessionId: 'sess_1', taskIds: [] }), { sessionId: 'sess_1' }],
    ['not JSON', {}],
  ])(
    'because something threw is told by ids, the name and the place of the error: %s',
    async (body, ids) => {
      const { told, kept } = await handle(burn, body);
      expect(kept).toBe(1);
      const stack = expect.stringMatching(/^burn \(.*sqs-batch-faults\.test\.ts:\d+:\d+\)/);
      const fault = { error: 'TypeError', stack };
      expect(told).toEqual([['message failed', { ...fault, messageId: 'm', ...ids }]]);
      expect(JSON.stringify(told)).not.toContain('secret');
    },
  );

  it.each<[string, HandleOne]>([
    ['threw', burn],
    ['is kept', async () => 'keep'],
  ])('because it %s comes again after the time of a claim', async (_why, handleOne) => {
    expect((await handle(handleOne, run)).hidden).toEqual([claimMs]);
  });

  it.each<[string, HandleOne]>([
    [
      'kept',
      async (delivery) => {
        await delivery.hide(7);
        return 'keep';
      },
    ],
    ['thrown', (delivery) => delivery.hide(7).then(burn)],
  ])('comes again when its room has said, also when %s', async (_why, handleOne) => {
    expect((await handle(handleOne, run)).hidden).toEqual([7]);
  });

  it('is kept also when it cannot be hidden', async () => {
    const { told, kept } = await handle(async () => 'keep', run, true);
    expect(kept).toBe(1);
    expect(told).toEqual([['message not hidden', { messageId: 'm', taskId: 'task_1' }]]);
  });
});

it('a message that is done is neither told nor hidden', async () => {
  expect(await handle(async () => 'done', run)).toEqual({ told: [], hidden: [], kept: 0 });
});
