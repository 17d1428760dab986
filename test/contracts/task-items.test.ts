import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoSweepMark, dynamoTaskStore } from '../../functions/adapters/dynamo-task-store.ts';
import { asCallId, asOwner, asSessionId } from '../../functions/core/ids.ts';
import { errorTextBytesMax } from '../../functions/core/limits.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import { messageOf } from '../../functions/core/retry.ts';
import { keyOf } from '../../functions/core/task.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { startTableEngine } from '../../local/table-engine.ts';
import { documentClient } from './engines.ts';
import { newStart } from './task-samples.ts';

type Item = Record<string, unknown>;

/** Text that does not deflate well, as real text does not. */
const noise = (bytes: number) => {
  const pieces = Array.from({ length: Math.ceil(bytes / 40) }, (_, n) =>
    createHash('sha256').update(String(n)).digest('base64'),
  );
  return pieces.join('').slice(0, bytes);
};
const near = (bytes: number, digest = 'd') => {
  const json = JSON.stringify(noise(bytes - 2));
  return { at: 'near', digest: digest.repeat(43), bytes, json } as const;
};

/** A task with all it can have, and everything stored about it once it has failed. */
async function itemsOfAFailure(client: ReturnType<typeof documentClient>): Promise<Item[]> {
  const table = await makeTable(client, 'items', tables.tasks);
  const store = dynamoTaskStore({ client, table });
  const nowMs = 1_794_992_616_185;
  const caller = {
    kind: 'session',
    sessionId: asSessionId(`sess_${'s'.repeat(32)}`),
    callId: asCallId('c'.repeat(30)),
  } as const;
  const start = newStart({ owner: asOwner('o'.repeat(20)), caller, arguments: near(20_000) });
  const large = newStart({ arguments: near(20_000) });
  for (const one of [start, large]) await store.create(one);
  await dynamoSweepMark({ client, table }).write(nowMs);
  const claim = { token: 't'.repeat(16), nowMs, untilMs: nowMs + 120_000 };
  const other = await store.claim({ start: large, ...claim });
  const result = near(20_000, 'r');
  const done = { kind: 'completed', result, atMs: nowMs } as const;
  await store.record(keyOf(large), { fence: other?.claim.fence ?? 0 }, done);
  let task = await store.claim({ start, ...claim });
  const fence = task?.claim.fence ?? 0;
  await store.keepCheckpoint(keyOf(start), fence, '1');
  for (let n = 1; n <= 12; n += 1) {
    const times = { atMs: nowMs + n, claimUntilMs: nowMs + 120_000 };
    const event = task && progressOnto(task, { percent: 8 * n, message: noise(200) }, times);
    task = event && (await store.record(keyOf(start), { fence }, event));
  }
  const error = { code: 'tool_failed', message: messageOf(new Error(noise(5000))) } as const;
  await store.record(keyOf(start), { fence }, { kind: 'failed', error, atMs: nowMs });
  return (await client.send(new ScanCommand({ TableName: table }))).Items ?? [];
}

describe('what is stored of tasks', () => {
  let items: Item[];
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const engine = await startTableEngine();
    stop = engine.stop;
    items = await itemsOfAFailure(documentClient(engine.url));
  });
  afterAll(() => stop());

  it('carries its version in every item', () => {
    const kinds = items.map(({ sk }) => String(sk).replace(/#.*/, ''));
    expect(new Set(kinds)).toEqual(new Set(['args', 'mark', 'result', 'state', 'task']));
    expect(items.map(({ v }) => v)).toEqual(items.map(() => 1));
  });

  it('stays under one write unit also with the longest error', () => {
    const hot = items.find(({ status }) => status === 'failed');
    expect(Buffer.byteLength(String(hot?.why))).toBe(errorTextBytesMax);
    expect(sizeOf(hot)).toBeLessThan(1024);
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
