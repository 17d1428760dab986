import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dynamoUserStore } from '../../functions/adapters/dynamo-user-store.ts';
import { memoryObjectStore, memoryUserStore } from '../../functions/adapters/memory-stores.ts';
import { asOwner } from '../../functions/core/ids.ts';
import type { ObjectStore, UserStore } from '../../functions/ports.ts';
import { tables } from '../../infra/definitions.ts';
import { fileObjectStore } from '../../local/file-object-store.ts';
import { makeTable } from '../../local/make-resources.ts';
import { documentClient, tableEngines } from './engines.ts';
import { titleOf } from './task-store-contract.ts';

const alice = asOwner('alice');
const bob = asOwner('bob');
const userCalled = (id: string) => ({ id, name: `Name ${id}`, email: `${id}@example.com` });

function userStoreContract(
  name: string,
  open: () => Promise<{ users: UserStore; stop: () => Promise<void> }>,
  missing?: string,
): void {
  const title = titleOf('user store', name, missing);
  it.skipIf(missing)(`${title} keeps each owner's users apart, by id, page by page`, async () => {
    const { users, stop } = await open();
    for (const id of ['a', 'b', 'c']) await users.put(alice, userCalled(id));
    expect(await users.get(alice, 'b')).toEqual(userCalled('b'));
    expect(await users.get(bob, 'b')).toBeUndefined();
    expect(await users.replace(alice, { ...userCalled('b'), name: 'New' })).toBe(true);
    expect(await users.replace(bob, userCalled('b'))).toBe(false);
    const first = await users.list(alice, { limit: 2 });
    expect(first.items.map((user) => user.name)).toEqual(['Name a', 'New']);
    const rest = await users.list(alice, { limit: 2, cursor: first.cursor });
    expect(rest).toEqual({ items: [userCalled('c')] });
    expect(await users.remove(alice, 'a')).toBe(true);
    expect(await users.remove(alice, 'a')).toBe(false);
    expect((await users.list(bob, { limit: 2 })).items).toEqual([]);
    await stop();
  });
}

describe('small stores', () => {
  userStoreContract('memory', async () => ({ users: memoryUserStore(), stop: async () => {} }));
  for (const engine of tableEngines) {
    userStoreContract(
      engine.name,
      async () => {
        const { url, stop } = await engine.start();
        const client = documentClient(url);
        const table = await makeTable(client, `users-${Date.now()}`, tables.users);
        return { users: dynamoUserStore(client, table), stop };
      },
      engine.missing,
    );
  }

  const objectStores: readonly [string, () => ObjectStore][] = [
    ['memory', memoryObjectStore],
    ['files', () => fileObjectStore(mkdtempSync(join(tmpdir(), 'objects-')))],
  ];
  it.each(objectStores)(
    'object store: %s gives back what was put, again and again',
    async (_n, open) => {
      const objects = open();
      const text = 'ü'.repeat(100_000);
      await objects.put('alice/key', text);
      await objects.put('alice/key', text);
      expect(await objects.get('alice/key')).toBe(text);
      await expect(objects.get('alice/other')).rejects.toThrow(/no such|no object/i);
    },
  );
});
