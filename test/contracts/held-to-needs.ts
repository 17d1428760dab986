import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { neededFor } from '../infra/needs.ts';

const using = new AsyncLocalStorage<string>();

/** A client that refuses what the use of a store under way is not known to need. */
export function withoutMore(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next, context) => (args) => {
      const use = using.getStore();
      const action = String(context['commandName']).replace(/Command$/, '');
      const isNeeded = use === undefined || actionsFor(use).has(action);
      if (!isNeeded) throw new Error(`${use} asks for ${action}, which needs.ts does not name.`);
      return next(args);
    },
    { step: 'initialize' },
  );
  return client;
}

const actionsFor = (use: string) =>
  new Set(neededFor(use).map((right) => right.replace(/^.*dynamodb:/, '')));

/** The same store, which names its uses. */
export function namingUses<Store extends object>(name: string, store: Store): Store {
  const named = Object.entries(store).map(([method, act]: [string, unknown]) => [
    method,
    (...given: readonly unknown[]): unknown =>
      using.run(`${name}.${method}`, act as (...all: readonly unknown[]) => unknown, ...given),
  ]);
  return Object.fromEntries(named) as Store;
}
