import type { Context, SQSEvent } from 'aws-lambda';
import type { BatchHandler } from '../functions/adapters/sqs-batch.ts';
import type { Log, QueueReader, Received } from '../functions/ports.ts';

interface Polling {
  readonly reader: QueueReader;
  readonly handler: BatchHandler;
  /** The function's own timeout: a run that outlives it is given up, as Lambda would kill it. */
  readonly timeoutMs: number;
  readonly concurrencyMax: number;
  readonly log: Log;
}

const longPollMs = 20_000;
const pauseAfterErrorMs = 500;

/** What Lambda's event source mapping does: receive, build a batch, invoke, delete what was done. */
export function startPoller(polling: Polling): { stop(): void } {
  const stopping = new AbortController();
  void poll(polling, stopping.signal);
  return { stop: () => stopping.abort() };
}

async function poll(polling: Polling, stopping: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  while (!stopping.aborted) {
    if (running.size >= polling.concurrencyMax) {
      await Promise.race(running);
      continue;
    }
    try {
      const free = Math.min(10, polling.concurrencyMax - running.size);
      for (const received of await polling.reader.receive(free, longPollMs)) {
        const one = invoke(polling, received).finally(() => running.delete(one));
        running.add(one);
      }
    } catch (thrown) {
      if (stopping.aborted) return;
      polling.log('error', 'receive failed', { error: String(thrown) });
      await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs));
    }
  }
}

async function invoke(polling: Polling, received: Received): Promise<void> {
  const diesAtMs = Date.now() + polling.timeoutMs;
  const context = { getRemainingTimeInMillis: () => diesAtMs - Date.now() } as Context;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timed out'>((resolve) => {
    timer = setTimeout(resolve, polling.timeoutMs, 'timed out');
  });
  try {
    const answer = await Promise.race([polling.handler(batchOf(received), context), timeout]);
    if (answer !== 'timed out' && answer.batchItemFailures.length === 0) await received.remove();
  } catch (thrown) {
    polling.log('error', 'function failed', { error: String(thrown) });
  } finally {
    clearTimeout(timer);
  }
}

function batchOf({ body, messageId, receives, receiptHandle }: Received): SQSEvent {
  const attributes = {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: '0',
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: '0',
  };
  const where = { eventSource: 'aws:sqs', eventSourceARN: 'arn:aws:sqs:local', awsRegion: 'local' };
  const record = { messageId, receiptHandle, body, attributes, messageAttributes: {}, ...where };
  return { Records: [{ ...record, md5OfBody: '' }] };
}
