import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { batchHandler, type HandleOne } from '../../functions/adapters/sqs-batch.ts';
import type { Delivery } from '../../functions/ports.ts';

const clock = { nowMs: () => 1000 };
const context = { getRemainingTimeInMillis: () => 500 } as Context;

const batchOf = (...bodies: readonly string[]) =>
  ({
    Records: bodies.map((body, n) => ({
      body,
      messageId: `m${n}`,
      receiptHandle: `r${n}`,
      eventSource: 'aws:sqs',
      attributes: { ApproximateReceiveCount: String(n + 1) },
    })),
  }) as unknown as SQSEvent;

const run = async (handleOne: HandleOne, ...bodies: readonly string[]) => {
  const hidden: [string, number][] = [];
  const hide = async (handle: string, ms: number) => void hidden.push([handle, ms]);
  const parts = { clock, hide, settings: { claimMs: 120_000 }, log: () => {} };
  const answer = await batchHandler(handleOne, parts)(batchOf(...bodies), context);
  return { hidden, kept: answer.batchItemFailures.map((failure) => failure.itemIdentifier) };
};

describe('a batch', () => {
  it('gives a room each message with its receives, its hold and the end of the function', async () => {
    const seen: [Delivery, number][] = [];
    const { hidden, kept } = await run(
      async (delivery, endsAtMs) => {
        seen.push([delivery, endsAtMs]);
        await delivery.hide(7);
        return 'done';
      },
      'first',
      'second',
    );
    expect(seen).toMatchObject([
      [{ body: 'first', receives: 1 }, 1500],
      [{ body: 'second', receives: 2 }, 1500],
    ]);
    expect(hidden).toEqual([
      ['r0', 7],
      ['r1', 7],
    ]);
    expect(kept).toEqual([]);
  });

  it('gives back what is kept or throws, and nothing else', async () => {
    const { kept } = await run(
      async ({ body }) => {
        if (body === 'broken') throw new Error('broken');
        return body === 'waiting' ? 'keep' : 'done';
      },
      'fine',
      'waiting',
      'broken',
    );
    expect(kept).toEqual(['m1', 'm2']);
  });

  it('gives back a batch of which nothing was done', async () => {
    expect((await run(async () => 'keep', 'only')).kept).toEqual(['m0']);
  });
});
