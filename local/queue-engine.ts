import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import type { QueueJournal } from './queue-journal.ts';

type FauxqsApp = ReturnType<typeof buildApp>;

export interface Engine {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** fauxqs on loopback only, with a journal on every send and delete it accepts. */
export async function startQueueEngine(journal?: QueueJournal): Promise<Engine> {
  const app = buildApp({ logger: false, host: '127.0.0.1' });
  if (journal) keepJournal(app, journal);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await app.close();
      journal?.close();
    },
  };
}

/** The few fields of the SQS wire that the journal needs. */
interface SqsBody {
  readonly QueueUrl?: string;
  readonly MessageId?: string;
  readonly ReceiptHandle?: string;
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly Id?: string;
  readonly Entries?: readonly SqsBody[];
  readonly Successful?: readonly SqsBody[];
  readonly Messages?: readonly SqsBody[];
}

function keepJournal(app: FauxqsApp, journal: QueueJournal): void {
  const idByReceipt = new Map<string, string>();
  const sent = (QueueUrl = '', request: SqsBody, answer: SqsBody) =>
    journal.sent({
      id: answer.MessageId ?? '',
      queue: QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1),
      body: request.MessageBody ?? '',
      visibleAtMs: Date.now() + (request.DelaySeconds ?? 0) * 1000,
    });
  const gone = ({ ReceiptHandle = '' }: SqsBody) => {
    const id = idByReceipt.get(ReceiptHandle);
    if (id !== undefined) journal.gone(id);
    idByReceipt.delete(ReceiptHandle);
  };
  const observe: Record<string, (request: SqsBody, answer: SqsBody) => void> = {
    SendMessage: (request, answer) => sent(request.QueueUrl, request, answer),
    SendMessageBatch: (request, answer) => {
      for (const entry of answer.Successful ?? []) {
        const asked = request.Entries?.find(({ Id }) => Id === entry.Id);
        if (asked) sent(request.QueueUrl, asked, entry);
      }
    },
    ReceiveMessage: (_request, answer) => {
      for (const { ReceiptHandle, MessageId } of answer.Messages ?? []) {
        if (ReceiptHandle && MessageId) idByReceipt.set(ReceiptHandle, MessageId);
      }
    },
    DeleteMessage: (request) => gone(request),
    DeleteMessageBatch: (request) => request.Entries?.forEach(gone),
  };
  app.addHook('onSend', (request, reply, answer, done) => {
    const action = String(request.headers['x-amz-target'] ?? '').replace('AmazonSQS.', '');
    const note = observe[action];
    if (note && reply.statusCode === 200 && typeof answer === 'string') {
      note(request.body as SqsBody, JSON.parse(answer) as SqsBody);
    }
    done();
  });
}
