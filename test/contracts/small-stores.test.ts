import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { dynamoUserStore } from '../../functions/adapters/dynamo-user-store.ts';
import { memoryObjectStore, memoryUserStore } from '../../functions/adapters/memory-stores.ts';
import { asOwner } from '../../functions/core/ids.ts';
import type { ObjectStore, UserStore } from '../../functions/ports.ts';
import { tables } from '../../infra/definitions.ts';
import { fileObjectStore } from '../../local/file-object-store.ts';
import { makeTable } from '../../local/make-resources.ts';
import { documentClient, tableEngines, titleOf } from './engines.ts';

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
    for (const id of ['a', 'b', 'c']) await users.create(alice, userCalled(id));
    expect(await users.get(alice, 'b')).toEqual(userCalled('b'));
    expect(await users.get(bob, 'b')).toBeUndefined();
    expect(await users.change(alice, 'b', { name: 'New' })).toEqual({
      ...userCalled('b'),
      name: 'New',
    });
    expect(await users.change(bob, 'b', { name: 'New' })).toBeUndefined();
    expect(await users.get(bob, 'b')).toBeUndefined();
    const first = await users.list(alice, { limit: 2 });
    expect(first.items.map((user) => user.name)).toEqual(['Name a', 'New']);
    const rest = await users.list(alice, { limit: 2, cursor: first.cursor });
    expect(rest).toEqual({ items: [userCalled('c')] });
    expect(await users.remove(alice, 'a')).toBe(true);
    expect(await users.remove(alice, 'a')).toBe(false);
    expect((await users.list(bob, { limit: 2 })).items).toEqual([]);
    await stop();
  });

  it.skipIf(missing)(`${title} gives an id to whoever comes first`, async () => {
    const { users, stop } = await open();
    const wanted = Array.from({ length: 20 }, (_, n) => ({ ...userCalled('a'), name: `No ${n}` }));
    const made = await Promise.all(wanted.map((user) => users.create(alice, user)));
    const kept = await users.get(alice, 'a');
    expect(made).toEqual(wanted.map(() => kept));
    expect(await users.create(bob, userCalled('a'))).toEqual(userCalled('a'));
    await stop();
  });

  it.skipIf(missing)(`${title} loses no change of a field to one of another`, async () => {
    const { users, stop } = await open();
    await users.create(alice, userCalled('a'));
    const changes = Array.from({ length: 10 }, (_, n) => [
      users.change(alice, 'a', { name: `New ${n}` }),
      users.change(alice, 'a', { email: `new${n}@example.com` }),
    ]);
    const changed = await Promise.all(changes.flat());
    const now = await users.get(alice, 'a');
    expect(changed).toContainEqual(now);
    expect(now).toEqual({
      id: 'a',
      name: expect.stringMatching(/^New \d$/),
      email: expect.stringMatching(/^new\d@/),
    });
    expect(await users.change(alice, 'a', {})).toEqual(now);
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

  it('a user carries the version it was written by', async () => {
    const [dynalite] = tableEngines;
    const { url, stop } = (await dynalite?.start()) ?? {};
    const client = documentClient(url);
    const table = await makeTable(client, 'users', tables.users);
    const users = dynamoUserStore(client, table);
    await users.create(alice, userCalled('a'));
    const read = new GetCommand({ TableName: table, Key: { owner: alice, id: 'a' } });
    expect((await client.send(read)).Item).toEqual({ owner: 'alice', v: 1, ...userCalled('a') });
    await stop?.();
  });

  const newFolder = () => mkdtempSync(join(tmpdir(), 'objects-'));
  const objectStores: readonly [string, () => ObjectStore][] = [
    ['memory', memoryObjectStore],
    ['files', () => fileObjectStore(newFolder())],
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

  it.each(objectStores)('object store: %s takes one key from many at once', async (_n, open) => {
    const objects = open();
    const text = 'x'.repeat(70_000);
    await Promise.all(Array.from({ length: 50 }, () => objects.put('alice/key', text)));
    expect(await objects.get('alice/key')).toBe(text);
  });

  it('object store: files leaves nothing beside what was put', async () => {
    const folder = newFolder();
    const objects = fileObjectStore(folder);
    await Promise.all(Array.from({ length: 50 }, () => objects.put('alice/key', 'x')));
    expect(readdirSync(join(folder, 'alice'))).toEqual(['key']);
  });
});
