import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { RunNeeds } from './run-task.ts';
import { work } from './work.ts';

export type HideMessage = (receiptHandle: string, forMs: number) => Promise<void>;
export type BatchHandler = (batch: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** An SQS batch, one message at a time. Whatever is not done is reported back and stays in the queue. */
export function batchHandler(ports: RunNeeds, hide: HideMessage): BatchHandler {
  return (batch, context) => {
    const endsAtMs = ports.clock.nowMs() + context.getRemainingTimeInMillis();
    const handleRecord = async ({ body, receiptHandle }: SQSRecord) => {
      const delivery = { body, hide: (forMs: number) => hide(receiptHandle, forMs) };
      if ((await work(ports, delivery, endsAtMs)) === 'keep') throw new Error('Kept in the queue.');
    };
    return processPartialResponse(batch, handleRecord, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    });
  };
}
