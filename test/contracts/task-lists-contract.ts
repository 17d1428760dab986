import { expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { keyOf } from '../../functions/core/task.ts';
import { newStart, type TaskStores } from './task-samples.ts';

/** What every task store must find again, and when. */
export function listRules(store: TaskStores): void {
  it('lists newest first, page by page, one owner at a time', async () => {
    const owner = asOwner('carol');
    const starts = [11, 12, 13, 14, 15].map((createdAtMs) => newStart({ owner, createdAtMs }));
    for (const start of starts) await store.tasks.create(start);
    const first = await store.tasks.list(owner, { limit: 3 });
    expect(first.items.map((task) => task.createdAtMs)).toEqual([15, 14, 13]);
    const second = await store.tasks.list(owner, { limit: 3, after: first.last });
    expect(second.items.map((task) => task.createdAtMs)).toEqual([12, 11]);
    expect(second.last).toBeUndefined();
    expect((await store.tasks.list(asOwner('nobody'), { limit: 3 })).items).toEqual([]);
  });

  it('finds what is due in a window, over all pages, ended or not', async () => {
    const base = 50_000_000;
    const starts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => newStart({ deadlineMs: base + n }));
    for (const start of starts) await store.tasks.create(start);
    const [, ended] = starts;
    if (ended) await store.tasks.record(keyOf(ended), 'anyone', { kind: 'cancelled', atMs: 1 });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const window = { fromMs: base + 1, toMs: base + 8, limit: 2, cursor };
      const page = await store.tasks.due(window);
      found.push(...page.items.map(({ taskId }) => taskId));
      cursor = page.cursor;
    } while (cursor);
    const expected = starts.slice(1, 9).map(({ taskId }) => taskId as string);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('looks when a silence would be over, and later when it is told to', async () => {
    const base = 90_000_000;
    const start = newStart({ createdAtMs: base, deadlineMs: base + 1000, silenceMs: 100 });
    const key = keyOf(start);
    const dueAt = async (atMs: number) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.tasks.due({ fromMs: atMs, toMs: atMs, limit: 10, cursor });
        found.push(...page.items.map(({ taskId }) => taskId));
        cursor = page.cursor;
      } while (cursor);
      return found;
    };
    await store.tasks.create(start);
    expect(await dueAt(base + 100)).toEqual([start.taskId]);
    const moved = await store.tasks.moveDue(key, base + 700);
    expect(moved).toMatchObject({ dueMs: base + 700, sequence: 0, updatedAtMs: base });
    expect(await dueAt(base + 100)).toEqual([]);
    expect(await dueAt(base + 700)).toEqual([start.taskId]);
    expect(await store.tasks.moveDue(key, base + 600)).toBeUndefined();
    expect(await store.tasks.get(key)).toEqual(moved);
  });

  it('remembers how far the sweep has looked', async () => {
    expect(await store.sweepMark.read()).toBe(0);
    await store.sweepMark.write(123);
    expect(await store.sweepMark.read()).toBe(123);
  });
}
