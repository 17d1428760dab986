import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { asciiJson } from '../core/ascii-json.ts';
import { delayMsMax } from '../core/limits.ts';
import type { Queue, QueueReader, Received } from '../ports.ts';

export interface SqsAddress {
  readonly client: SQSClient;
  readonly url: string;
}

/** As many as SQS takes in one request. */
const batchMax = 10;
/** SQS counts visibility in whole seconds, up to twelve hours. */
const visibilitySMax = 12 * 60 * 60;

/**
 * Standard queues: at least once, in any order. Delays are whole seconds, rounded up, and at most what
 * SQS takes: a message that must wait longer says so itself and is sent again.
 */
export function sqsQueue<Body>({ client, url }: SqsAddress): Queue<Body> {
  return {
    async send(messages, delayMs = 0) {
      const DelaySeconds = Math.ceil(Math.min(delayMs, delayMsMax) / 1000);
      const [only] = messages;
      if (only !== undefined && messages.length === 1) {
        const MessageBody = asciiJson(only);
        await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody, DelaySeconds }));
        return;
      }
      for (let from = 0; from < messages.length; from += batchMax) {
        const Entries = messages.slice(from, from + batchMax).map((message, index) => ({
          Id: String(index),
          MessageBody: asciiJson(message),
          DelaySeconds,
        }));
        const { Failed } = await client.send(
          new SendMessageBatchCommand({ QueueUrl: url, Entries }),
        );
        if (Failed?.length) throw new Error(`SQS refused ${Failed.length} messages of a batch.`);
      }
    },
  };
}

/** What is received stays hidden as long as its queue says, or as long as its reader says instead. */
export function sqsReader({ client, url }: SqsAddress, hiddenMs?: number): QueueReader {
  const hidden = hiddenMs === undefined ? {} : { VisibilityTimeout: Math.ceil(hiddenMs / 1000) };
  return {
    async receive(limit, waitMs) {
      const { Messages } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: Math.min(limit, batchMax),
          WaitTimeSeconds: Math.round(waitMs / 1000),
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
          ...hidden,
        }),
      );
      return (Messages ?? []).map((message) => received({ client, url }, message));
    },
  };
}

/** Hide a message from other receivers for so long from now. */
export async function hideMessage(
  { client, url }: SqsAddress,
  receiptHandle: string,
  forMs: number,
): Promise<void> {
  const VisibilityTimeout = Math.min(visibilitySMax, Math.ceil(forMs / 1000));
  await client.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout,
    }),
  );
}

function received(address: SqsAddress, message: Message): Received {
  const { Body = '', MessageId = '', ReceiptHandle = '' } = message;
  return {
    body: Body,
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    receives: Number(message.Attributes?.ApproximateReceiveCount ?? 1),
    hide: (forMs) => hideMessage(address, ReceiptHandle, forMs),
    async remove() {
      const { client, url } = address;
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    },
  };
}
