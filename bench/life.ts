import { dynamoWebhookStore } from '../functions/adapters/dynamo-webhook-store.ts';
import { cachedEndpoints } from '../functions/adapters/endpoint-cache.ts';
import { guardedFetch } from '../functions/adapters/guarded-fetch.ts';
import { memoryAuditStore } from '../functions/adapters/memory-audit-store.ts';
import { memoryObjectStore, memoryUserStore } from '../functions/adapters/memory-stores.ts';
import {
  newSessionId,
  newTaskIds,
  newToken,
  newWebhookSecret,
  processLiveText,
  processSignals,
  systemClock,
} from '../functions/adapters/process.ts';
import { secretSealer } from '../functions/adapters/sealer.ts';
import { readSettings } from '../functions/adapters/settings.ts';
import { dynamoCiStore } from '../functions/adapters/dynamo-ci-store.ts';
import { dynamoSessionStore } from '../functions/adapters/dynamo-session-store.ts';
import { dynamoSweepMark, dynamoTaskStore } from '../functions/adapters/dynamo-task-store.ts';
import { sqsQueue, sqsReader } from '../functions/adapters/sqs-queue.ts';
import { webhookSender } from '../functions/adapters/webhook-sender.ts';
import { asOwner } from '../functions/core/ids.ts';
import type { Tool } from '../functions/core/tool.ts';
import type { Ports, Received } from '../functions/ports.ts';
import { startTask } from '../functions/tasks/start-task.ts';
import { defineTool, toolsByName } from '../functions/tools/define-tool.ts';
import { work } from '../functions/worker/work.ts';
import * as z from 'zod';
import { queues, tables } from '../infra/definitions.ts';
import { makeQueue, makeTable } from '../local/make-resources.ts';
import { startQueueEngine } from '../local/queue-engine.ts';
import { startTableEngine } from '../local/table-engine.ts';
import { documentClient, queueClient } from '../test/contracts/engines.ts';
import { recordDynamo, recordSqs, type Ledger } from './recorder.ts';

const secret = 'a secret of the benchmark';

/** The real functions on the embedded engines, with every AWS request written into a ledger. */
export interface MeasuredHouse {
  readonly ports: MeasuredPorts;
  readonly ledger: Ledger;
  /** Receive, work, delete: what Lambda's event source mapping does with one message. */
  workOnce(): Promise<void>;
  /** The next ring for a session. */
  readonly nextRing: () => Promise<Received>;
  /** All that are there now. */
  readonly rings: () => Promise<readonly Received[]>;
  stop(): Promise<void>;
}

/** Whoever measures a model brings it along. */
export type MeasuredPorts = Omit<Ports, 'model'>;

export async function measuredHouse(
  tool: (ports: Pick<Ports, 'clock'>) => Tool,
  delayMs = 0,
): Promise<MeasuredHouse> {
  const [tableEngine, queueEngine] = await Promise.all([startTableEngine(), startQueueEngine()]);
  const client = documentClient(tableEngine.url);
  const sqs = queueClient(queueEngine.url);
  const table = await makeTable(client, 'tasks', tables.tasks);
  const sessionTable = await makeTable(client, 'sessions', tables.sessions);
  const { url, deadUrl } = await makeQueue(sqs, 'work', queues.work);
  const resumes = await makeQueue(sqs, 'resumes', queues.resumes);
  const webhookTable = await makeTable(client, 'webhooks', tables.webhooks);
  const deliveries = await makeQueue(sqs, 'webhooks', queues.webhooks);
  const ledger: Ledger = { requests: [] };
  recordDynamo(client, ledger, delayMs);
  recordSqs(sqs, ledger, delayMs);
  const reader = sqsReader({ client: sqs, url });
  const ringReader = sqsReader({ client: sqs, url: resumes.url });
  const ports: MeasuredPorts = {
    tasks: dynamoTaskStore({ client, table }),
    sweepMark: dynamoSweepMark({ client, table }),
    work: sqsQueue({ client: sqs, url }),
    deadWork: sqsReader({ client: sqs, url: deadUrl }),
    sessions: dynamoSessionStore({ client, table: sessionTable }),
    resumes: sqsQueue({ client: sqs, url: resumes.url }),
    deadResumes: sqsReader({ client: sqs, url: resumes.deadUrl }),
    webhooks: cachedEndpoints(dynamoWebhookStore({ client, table: webhookTable }), systemClock),
    audit: memoryAuditStore(),
    deliveries: sqsQueue({ client: sqs, url: deliveries.url }),
    deadDeliveries: sqsReader({ client: sqs, url: deliveries.deadUrl }),
    outbound: webhookSender(guardedFetch({}), systemClock),
    objects: memoryObjectStore(),
    users: memoryUserStore(),
    ci: dynamoCiStore({ client, table }),
    github: undefined,
    tools: toolsByName([tool({ clock: systemClock })]),
    clock: systemClock,
    signals: processSignals(),
    live: processLiveText(),
    sealer: secretSealer(secret),
    newTaskId: newTaskIds(secret),
    newToken,
    newSessionId,
    newWebhookSecret,
    settings: readSettings({ GRACE_MS: '0' }),
    log: () => {},
  };
  return {
    ports,
    ledger,
    async workOnce() {
      const [received] = await reader.receive(1, 1000);
      if (!received) throw new Error('There is no message.');
      const verdict = await work(ports, received, systemClock.nowMs() + 900_000);
      if (verdict === 'done') await received.remove();
    },
    async nextRing() {
      const [ring] = await ringReader.receive(1, 1000);
      if (!ring) throw new Error('Nobody rang.');
      return ring;
    },
    rings: () => ringReader.receive(10, 0),
    async stop() {
      await Promise.all([tableEngine.stop(), queueEngine.stop()]);
    },
  };
}

export interface LifeSize {
  readonly progressEvents: number;
  readonly argumentsBytes: number;
  readonly resultBytes: number;
}

/** A tool that reports so often and returns so much. */
export const measuredTool = ({ progressEvents, resultBytes }: LifeSize): Tool =>
  defineTool({
    name: 'measured',
    description: 'A tool of known size.',
    longRunning: true,
    idempotent: true,
    input: z.object({ records: z.array(z.unknown()) }),
    async run(_input, task) {
      for (let n = 1; n <= progressEvents; n += 1) {
        await task.progress((100 * n) / progressEvents, `Processed part ${n} of ${progressEvents}`);
      }
      return { records: recordsOf(resultBytes) };
    },
  });

export const measuredStart = (size: LifeSize) => ({
  owner: asOwner('bench'),
  tool: 'measured',
  arguments: { records: recordsOf(size.argumentsBytes) },
  caller: { kind: 'client' as const },
});

export async function liveOnce(house: MeasuredHouse, size: LifeSize): Promise<void> {
  const started = await startTask(house.ports, measuredStart(size));
  if (!started.ok) throw new Error(started.failure.reason);
  await house.workOnce();
}

/** Records like those of any business system, as many as fit. */
export function recordsOf(bytes: number): unknown[] {
  const records: unknown[] = [];
  for (let n = 0, size = 14; ; n += 1) {
    const record = {
      id: `rec_${(n * 7919).toString(36)}`,
      name: `Customer ${n}`,
      email: `customer${n}@example.com`,
      amount: ((n * 37) % 1000) / 10,
    };
    size += JSON.stringify(record).length + 1;
    if (size > bytes) return records;
    records.push(record);
  }
}
