import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamoSweepMark, dynamoTaskStore } from '../../functions/adapters/dynamo-task-store.ts';
import { memorySweepMark, memoryTaskStore } from '../../functions/adapters/memory-task-store.ts';
import { asCallId, asOwner, asSessionId } from '../../functions/core/ids.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import { hotKey } from '../../functions/adapters/dynamo-items.ts';
import { keyOf } from '../../functions/core/task.ts';
import { urlEndpointId } from '../../functions/core/webhook.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { startTableEngine } from '../../local/table-engine.ts';
import { documentClient, tableEngines } from './engines.ts';
import { namingUses, withoutMore } from './held-to-needs.ts';
import { newStart } from './task-samples.ts';
import { taskStoreContract } from './task-store-contract.ts';

taskStoreContract('memory', async () => ({
  tasks: memoryTaskStore(),
  sweepMark: memorySweepMark(),
  stop: async () => {},
}));

for (const engine of tableEngines) {
  taskStoreContract(
    engine.name,
    async () => {
      const { url, stop } = await engine.start();
      const client = withoutMore(documentClient(url));
      const table = await makeTable(client, `contract-${Date.now()}`, tables.tasks);
      const dynamo = { client, table };
      const tasks = namingUses('tasks', dynamoTaskStore(dynamo));
      return { tasks, sweepMark: namingUses('sweepMark', dynamoSweepMark(dynamo)), stop };
    },
    engine.missing,
  );
}

describe('the hot item', () => {
  it('stays under one write unit with a long owner, text, arguments and result', async () => {
    const engine = await startTableEngine();
    const client = documentClient(engine.url);
    const table = await makeTable(client, 'hot', tables.tasks);
    const store = dynamoTaskStore({ client, table });
    const json = (bytes: number) => {
      const text = JSON.stringify({ text: Buffer.alloc(bytes, 'abcdefghijklm').toString() });
      return { at: 'near', digest: 'd'.repeat(43), bytes: text.length, json: text } as const;
    };
    const caller = {
      kind: 'session',
      sessionId: asSessionId(`sess_${'s'.repeat(32)}`),
      callId: asCallId('c'.repeat(30)),
    } as const;
    const webhookId = urlEndpointId(asOwner('o'), 'https://example.com/');
    const start = newStart({
      owner: asOwner('o'.repeat(20)),
      caller,
      arguments: json(20_000),
      webhookId,
    });
    await store.create(start);
    const claim = {
      start,
      token: 't'.repeat(16),
      nowMs: 1_794_992_616_185,
      untilMs: 1_794_992_736_185,
    };
    let task = await store.claim(claim);
    const fence = { fence: task?.claim.fence ?? 0 };
    const times = { atMs: claim.nowMs, claimUntilMs: claim.untilMs };
    for (let n = 1; n <= 12; n += 1) {
      const message = createHash('sha256').update(`${n}`).digest('base64').repeat(4);
      const event = task && progressOnto(task, { percent: 8 * n, message }, times);
      task = event && (await store.record(keyOf(start), fence, event));
    }
    expect(task?.recent).toHaveLength(8);
    const { atMs } = times;
    await store.record(keyOf(start), fence, { kind: 'completed', result: json(40_000), atMs });
    const read = await client.send(
      new GetCommand({ TableName: table, Key: hotKey(start), ReturnConsumedCapacity: 'TOTAL' }),
    );
    const size = Object.entries(read.Item ?? {}).reduce(
      (sum, [name, value]) => sum + name.length + sizeOf(value),
      0,
    );
    expect(size).toBeLessThan(1024);
    expect(size).toBeGreaterThan(300);
    await engine.stop();
  });
});

/** DynamoDB's own rule of thumb for the size of an attribute. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, v]) => sum + name.length + sizeOf(v) + 1, 3);
}
