import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Ledger } from './recorder.ts';
import { recordsOf, type LifeSize } from './life.ts';
import { documentClient, queueClient } from '../test/contracts/engines.ts';
import { startQueueEngine } from '../local/queue-engine.ts';
import { startTableEngine } from '../local/table-engine.ts';
import { makeQueue, makeTable } from '../local/make-resources.ts';
import { queues } from '../infra/definitions.ts';
import { recordDynamo, recordSqs } from './recorder.ts';

/**
 * The design one writes first: everything of a call in one item with a status index, each progress also
 * an event item, and a second queue for the end. Kept as code so that the comparison stays honest.
 */
export async function naiveLife(size: LifeSize): Promise<Ledger> {
  const [tableEngine, queueEngine] = await Promise.all([startTableEngine(), startQueueEngine()]);
  const client = documentClient(tableEngine.url);
  const sqs = queueClient(queueEngine.url);
  const table = await makeTable(client, 'naive', {
    partitionKey: { name: 'pk', type: 'S' },
    sortKey: { name: 'sk', type: 'S' },
    indexes: [
      {
        name: 'status',
        partitionKey: { name: 'status', type: 'S' },
        sortKey: { name: 'updated', type: 'N' },
      },
    ],
  });
  const { url } = await makeQueue(sqs, 'naive', queues.work);
  const ledger: Ledger = { requests: [] };
  recordDynamo(client, ledger);
  recordSqs(sqs, ledger);
  const Key = { pk: 'call', sk: 'call' };
  const args = recordsOf(size.argumentsBytes);
  const put = { TableName: table, Item: { ...Key, status: 'pending', updated: 0, args } };
  const update = async (attributes: Record<string, unknown>) => {
    const names = Object.keys(attributes);
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key,
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          names.map((name) => [`:${name}`, attributes[name]]),
        ),
      }),
    );
    // The index holds the whole item, and its sort key moved: one delete and one put of that size.
    const last = ledger.requests.at(-1);
    if (last)
      ledger.requests.push({
        ...last,
        command: 'Index',
        tableUnits: 0,
        indexUnits: 2 * last.tableUnits,
      });
  };
  await client.send(new PutCommand(put));
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'call' }));
  await update({ status: 'running', updated: 1 });
  for (let n = 1; n <= size.progressEvents; n += 1) {
    await update({ progress: n, updated: n + 1 });
    const event = { pk: 'call', sk: `event#${n}`, progress: n };
    await client.send(new PutCommand({ TableName: table, Item: event }));
  }
  await update({ status: 'done', updated: 99, result: recordsOf(size.resultBytes) });
  await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'done' }));
  const query = 'pk = :pk';
  await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: query,
      ExpressionAttributeValues: { ':pk': 'call' },
    }),
  );
  // Both messages are received and deleted by the service.
  const served = { command: 'Service', tableUnits: 0, indexUnits: 0, chunks: 1 };
  ledger.requests.push(served, served, served, served);
  await Promise.all([tableEngine.stop(), queueEngine.stop()]);
  return ledger;
}
