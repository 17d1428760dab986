import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultOf } from '../core/fault.ts';
import type { Clock, Delivery, Log, LogData, Settings, Verdict } from '../ports.ts';

export type BatchHandler = (batch: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** What a room does with one message: `done` deletes it, `keep` leaves it in the queue. */
export type HandleOne = (delivery: Delivery, functionEndsAtMs: number) => Promise<Verdict>;

interface BatchParts {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly settings: Pick<Settings, 'claimMs'>;
  readonly log: Log;
  /** Says how long a message stays hidden; unsaid, its queue hides it for an hour and more. */
  readonly hide: (receiptHandle: string, forMs: number) => Promise<void>;
}

/** An SQS batch, one message at a time. Whatever is not done is reported back and stays in the queue. */
export function batchHandler(handleOne: HandleOne, parts: BatchParts): BatchHandler {
  return (batch, context) => {
    const endsAtMs = parts.clock.nowMs() + context.getRemainingTimeInMillis();
    const handleRecord = async (record: SQSRecord) => {
      const { delivery, isHidden } = deliveryOf(record, parts);
      try {
        if ((await handleOne(delivery, endsAtMs)) === 'done') return;
      } catch (thrown) {
        parts.log('error', 'message failed', { ...faultOf(thrown), ...subjectOf(record) });
      }
      if (!isHidden()) await hideForAClaim(parts, record);
      throw new Error('Kept in the queue.');
    };
    return processPartialResponse(batch, handleRecord, new BatchProcessor(EventType.SQS), {
      context,
      throwOnFullBatchFailure: false,
    });
  };
}

function deliveryOf({ body, receiptHandle, attributes }: SQSRecord, { hide }: BatchParts) {
  let hidden = false;
  const delivery: Delivery = {
    body,
    receives: Number(attributes.ApproximateReceiveCount),
    async hide(forMs) {
      await hide(receiptHandle, forMs);
      hidden = true;
    },
  };
  return { delivery, isHidden: () => hidden };
}

/** A room that has not said how long waits as long as for a worker that died. */
async function hideForAClaim({ hide, settings, log }: BatchParts, record: SQSRecord) {
  try {
    await hide(record.receiptHandle, settings.claimMs);
  } catch {
    // Then it comes back when its queue shows it again.
    log('warn', 'message not hidden', subjectOf(record));
  }
}

/** Whose message it is, by ids and never by what it carries. */
function subjectOf({ body, messageId }: SQSRecord): LogData {
  const taskId = idIn(body, 'taskId');
  const sessionId = idIn(body, 'sessionId');
  return { messageId, ...(taskId && { taskId }), ...(sessionId && { sessionId }) };
}

/** The first id of that name, without a parse: a body that cannot be read is told like any other. */
const idIn = (body: string, name: string) =>
  new RegExp(`"${name}":"([\\w-]{1,128})"`).exec(body)?.[1];
