import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';

/** Every AWS request of a measured life, exactly as the client sent it. */
export interface Ledger {
  readonly requests: LedgerRequest[];
}

interface LedgerRequest {
  readonly command: string;
  /** Write units the engine billed for the table itself. */
  readonly tableUnits: number;
  /** Index units by rule, because dynalite counts none: an entry put or moved costs one, or two. */
  readonly indexUnits: number;
  /** Billed chunks of 64 KiB. */
  readonly chunks: number;
}

const chunkBytes = 64 * 1024;

/** An answer that may tell what it cost. */
interface Billed {
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number };
}

/** Listen to a DynamoDB client; `delayMs` makes a round trip visible to a depth measurement. */
export function recordDynamo(client: DynamoDBDocumentClient, ledger: Ledger, delayMs = 0): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as Record<string, unknown>;
      input.ReturnConsumedCapacity = 'TOTAL';
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const answer = await next(args);
      const { ConsumedCapacity } = answer.output as Billed;
      const command = commandOf(context);
      ledger.requests.push({
        command,
        tableUnits: isWrite(command) ? (ConsumedCapacity?.CapacityUnits ?? 0) : 0,
        indexUnits: isWrite(command) ? indexUnits(command, input) : 0,
        chunks: 0,
      });
      return answer;
    },
    { step: 'initialize' },
  );
}

export function recordSqs(client: SQSClient, ledger: Ledger, delayMs = 0): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const answer = await next(args);
      const { MessageBody = '' } = args.input as { MessageBody?: string };
      const chunks = Math.max(1, Math.ceil(MessageBody.length / chunkBytes));
      const command = commandOf(context);
      ledger.requests.push({ command, tableUnits: 0, indexUnits: 0, chunks });
      return answer;
    },
    { step: 'initialize' },
  );
}

const commandOf = (context: { commandName?: string }) => context.commandName ?? 'unknown';

const isWrite = (command: string) => /^(Put|Update|Delete|TransactWrite)/.test(command);

/** A put of a hot item makes an entry in both indexes; an update that set an index key would move one. */
function indexUnits(command: string, input: Record<string, unknown>): number {
  const item = (input.Item ?? {}) as Record<string, unknown>;
  if (command.startsWith('Put')) return Number('due' in item) + Number('made' in item);
  const text = typeof input.UpdateExpression === 'string' ? input.UpdateExpression : '';
  // A claim sets the keys only if they are absent, and in a measured life they are there.
  const sets = (name: string) => new RegExp(`#${name} = :`).test(text);
  return 2 * (Number(sets('due')) + Number(sets('shard')) + Number(sets('made')));
}
