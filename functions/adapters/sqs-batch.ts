import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock, Delivery } from '../ports.ts';

export type BatchHandler = (batch: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** What a room does with one message: `done` deletes it, `keep` leaves it in the queue. */
export type HandleOne = (delivery: Delivery, functionEndsAtMs: number) => Promise<'done' | 'keep'>;

export interface BatchParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Keeps a message hidden that is held for longer than its queue would hide it. */
  readonly hide: (receiptHandle: string, forMs: number) => Promise<void>;
}

/** An SQS batch, one message at a time. Whatever is not done is reported back and stays in the queue. */
export function batchHandler(handleOne: HandleOne, { clock, hide }: BatchParts): BatchHandler {
  return (batch, context) => {
    const endsAtMs = clock.nowMs() + context.getRemainingTimeInMillis();
    const handleRecord = async ({ body, receiptHandle, attributes }: SQSRecord) => {
      const delivery = {
        body,
        receives: Number(attributes.ApproximateReceiveCount),
        hide: (forMs: number) => hide(receiptHandle, forMs),
      };
      if ((await handleOne(delivery, endsAtMs)) === 'keep') throw new Error('Kept in the queue.');
    };
    return processPartialResponse(batch, handleRecord, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    });
  };
}
