import { describe, expect, it } from 'vitest';
import { dynamoCiStore } from '../../functions/adapters/dynamo-ci-store.ts';
import { memoryCiStore } from '../../functions/adapters/memory-ci-store.ts';
import { asOwner, asTaskId } from '../../functions/core/ids.ts';
import type { CiStore } from '../../functions/ports.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { documentClient, tableEngines, titleOf } from './engines.ts';
import { namingUses, withoutMore } from './held-to-needs.ts';

const keyOf = (n: number) => ({ owner: asOwner(`owner-${n}`), taskId: asTaskId(`task_${n}`) });

function ciStoreContract(
  name: string,
  open: () => Promise<{ ci: CiStore; stop: () => Promise<void> }>,
  missing?: string,
): void {
  const title = titleOf('ci store', name, missing);
  const test = (what: string, act: (ci: CiStore) => Promise<void>) =>
    it.skipIf(missing)(`${title} ${what}`, async () => {
      const { ci, stop } = await open();
      await act(ci);
      await stop();
    });

  test('binds a name to whoever comes first', async (ci) => {
    expect(await ci.find('run#github#acme/app#1')).toBeUndefined();
    const holders = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ci.bind('run#github#acme/app#1', keyOf(n))),
    );
    const found = await ci.find('run#github#acme/app#1');
    expect(holders).toEqual(holders.map(() => found));
    expect(await ci.bind('run#github#acme/app#1', keyOf(77))).toEqual(found);
    expect(await ci.find('run#github#acme/app#11')).toBeUndefined();
  });

  test('keeps who may speak by a name', async (ci) => {
    const source = { provider: 'github', repository: 'acme/app' } as const;
    expect(await ci.bind('id#1', { ...keyOf(1), source })).toEqual({ ...keyOf(1), source });
    expect(await ci.bind('id#1', keyOf(1))).toEqual({ ...keyOf(1), source });
    expect(await ci.find('id#1')).toEqual({ ...keyOf(1), source });
  });

  test('gives a delivery to one taker, as often as it asks', async (ci) => {
    const takers = Array.from({ length: 10 }, (_, n) => `taker ${n}`);
    const took = await Promise.all(takers.map((taker) => ci.take('github#1', taker)));
    expect(took.filter(Boolean)).toHaveLength(1);
    const again = await Promise.all(takers.map((taker) => ci.take('github#1', taker)));
    expect(again).toEqual(took);
    expect(await ci.take('github#2', 'taker 0')).toBe(true);
  });

  test('moves a mark forward only', async (ci) => {
    const seen: boolean[] = [];
    for (const to of [10, 10, 12, 11, 12, 20, 12]) seen.push(await ci.advance('run#1', to));
    expect(seen).toEqual([true, true, true, false, true, true, false]);
    expect(await ci.advance('run#2', 1)).toBe(true);
  });
}

describe('what connects CI runs with tasks', () => {
  ciStoreContract('memory', async () => ({ ci: memoryCiStore(), stop: async () => {} }));
  for (const engine of tableEngines) {
    ciStoreContract(
      engine.name,
      async () => {
        const { url, stop } = await engine.start();
        const client = withoutMore(documentClient(url));
        const table = await makeTable(client, `ci-${Date.now()}`, tables.tasks);
        return { ci: namingUses('ci', dynamoCiStore({ client, table })), stop };
      },
      engine.missing,
    );
  }
});
