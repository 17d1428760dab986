import { describe, expect, it } from 'vitest';
import { openDoor, type Answer } from './door.ts';

const idsOf = ({ json }: Answer) => (json.items as { task_id: string }[]).map((i) => i.task_id);

/** Five tasks a second apart, the newest last; the second is cancelled, the last a package. */
async function fiveTasks() {
  const door = openDoor();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    ids.push(await door.startWait());
    await door.house.clock.advance(1000);
  }
  const { json } = await door.start({ tool: 'install_package', arguments: { package: 'left' } });
  ids.push(String(json.task_id));
  await door.cancel(String(ids[1]));
  return { ...door, ids, newestFirst: ids.toReversed() };
}

describe('GET /v1/tasks', () => {
  it('shows no items and no cursor when there are no tasks', async () => {
    const { ask } = openDoor();
    expect((await ask('/v1/tasks')).json).toEqual({ items: [] });
  });

  it('lists newest first, without results', async () => {
    const { ask, newestFirst, house } = await fiveTasks();
    await house.runFor(60_000);
    const list = await ask('/v1/tasks');
    expect(list.status).toBe(200);
    expect(idsOf(list)).toEqual(newestFirst);
    for (const item of list.json.items as object[]) expect(item).not.toHaveProperty('result');
  });

  it('pages by cursor without a gap or a repeat, also when a task is added meanwhile', async () => {
    const { ask, newestFirst, startWait } = await fiveTasks();
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await ask(`/v1/tasks?limit=2${after}`);
      seen.push(...idsOf(page));
      cursor = page.json.cursor as string | undefined;
      pages += 1;
      if (pages === 1) await startWait();
    } while (cursor !== undefined && pages < 10);
    expect(seen).toEqual(newestFirst);
  });

  it('lists 20 unless a limit is given', async () => {
    const { ask, startWait } = openDoor();
    await Promise.all(Array.from({ length: 25 }, () => startWait()));
    const page = await ask('/v1/tasks');
    expect(idsOf(page)).toHaveLength(20);
    expect(page.json.cursor).toBeTypeOf('string');
    expect(idsOf(await ask('/v1/tasks?limit=100'))).toHaveLength(25);
  });

  it('filters by status, by tool, by both, and by session', async () => {
    const { ask, ids } = await fiveTasks();
    const filtered = async (query: string) => idsOf(await ask(`/v1/tasks?${query}`));
    expect(await filtered('status=cancelled')).toEqual([ids[1]]);
    expect(await filtered('tool=install_package')).toEqual([ids[4]]);
    expect(await filtered('tool=demo_wait&status=working')).toEqual([ids[3], ids[2], ids[0]]);
    expect(await filtered('tool=install_package&status=cancelled')).toEqual([]);
    expect(await filtered('session_id=session_1')).toEqual([]);
  });

  it('gives a cursor with a page that the filter emptied', async () => {
    const { ask, ids } = await fiveTasks();
    const first = await ask('/v1/tasks?limit=3&status=cancelled');
    expect(first.json.items).toEqual([]);
    const second = await ask(`/v1/tasks?status=cancelled&cursor=${String(first.json.cursor)}`);
    expect(idsOf(second)).toEqual([ids[1]]);
    expect(second.json).not.toHaveProperty('cursor');
  });

  it('shows each owner only their own tasks, also behind the cursor of another', async () => {
    const { ask, startWait } = await fiveTasks();
    const bobs = await startWait(60, 'bob');
    expect(idsOf(await ask('/v1/tasks', { as: 'bob' }))).toEqual([bobs]);
    const { json } = await ask('/v1/tasks?limit=1');
    const behind = await ask(`/v1/tasks?cursor=${String(json.cursor)}`, { as: 'bob' });
    expect(idsOf(behind).filter((id) => id !== bobs)).toEqual([]);
  });
});
