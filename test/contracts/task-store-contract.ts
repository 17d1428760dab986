import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../functions/core/digest.ts';
import { asCallId, asOwner, asSessionId, asTaskId } from '../../functions/core/ids.ts';
import type { StoredValue } from '../../functions/core/stored-value.ts';
import { keyOf, newTask, type Task, type TaskStart } from '../../functions/core/task.ts';
import type { SweepMark, TaskStore } from '../../functions/ports.ts';

export interface StoreUnderTest {
  readonly tasks: TaskStore;
  readonly sweepMark: SweepMark;
  stop(): Promise<void>;
}

const near = (value: unknown): StoredValue => {
  const json = JSON.stringify(value);
  return { at: 'near', digest: digestOf(json), bytes: Buffer.byteLength(json), json };
};

let made = 0;
/** A start nobody has used yet. */
export function newStart(more: Partial<TaskStart> = {}): TaskStart {
  made += 1;
  return {
    owner: asOwner('alice'),
    taskId: asTaskId(`task_${String(made).padStart(32, '0')}`),
    tool: 'demo',
    caller: { kind: 'client' },
    arguments: near({ n: made }),
    createdAtMs: 1000 + made,
    deadlineMs: 1_000_000,
    ...more,
  };
}

/** An engine that is not here is listed by name and reason, never left out in silence. */
export const titleOf = (port: string, engine: string, missing: string | undefined) =>
  `${port}: ${engine}${missing ? ` (${missing})` : ''}`;

const request = (start: TaskStart, token: string, nowMs = 2000, untilMs = 5000) => ({
  start,
  token,
  nowMs,
  untilMs,
});
const progressed = (percent: number, atMs = 2500) =>
  ({ kind: 'progressed', percent, message: `at ${percent}`, atMs, claimUntilMs: 6000 }) as const;
const completed = (value: unknown) =>
  ({ kind: 'completed', result: near(value), atMs: 3000 }) as const;

/** What every task store must do, whatever it is made of. */
export function taskStoreContract(
  name: string,
  open: () => Promise<StoreUnderTest>,
  missing?: string,
): void {
  describe.skipIf(missing)(titleOf('task store', name, missing), () => {
    let store: StoreUnderTest;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.stop());

    const claimed = async (start: TaskStart): Promise<Task> => {
      const task = await store.tasks.claim(request(start, 'first'));
      if (!task) throw new Error('the claim was refused');
      return task;
    };

    it('creates a task once and reads it back whole', async () => {
      const start = newStart({
        caller: { kind: 'session', sessionId: asSessionId('s1'), callId: asCallId('c1') },
      });
      expect(await store.tasks.create(start)).toBe(true);
      expect(await store.tasks.create({ ...start, tool: 'other' })).toBe(false);
      expect(await store.tasks.get(keyOf(start))).toEqual(newTask(start));
    });

    it('finds nothing under another owner or another id', async () => {
      const start = newStart();
      await store.tasks.create(start);
      expect(await store.tasks.get({ ...keyOf(start), owner: asOwner('bob') })).toBeUndefined();
      expect(await store.tasks.get({ ...keyOf(start), taskId: asTaskId('x') })).toBeUndefined();
    });

    it('creates a task by its claim when the put was lost', async () => {
      const start = newStart();
      const task = await claimed(start);
      const expected = { fence: 1, untilMs: 5000, token: 'first', failures: 0, pauses: 0 };
      expect(task).toEqual({ ...newTask(start), updatedAtMs: 2000, claim: expected });
      expect(await store.tasks.create(start)).toBe(false);
      expect(await store.tasks.get(keyOf(start))).toEqual(task);
    });

    it('gives a task to one of sixteen who ask at once', async () => {
      const start = newStart();
      await store.tasks.create(start);
      const asked = Array.from({ length: 16 }, (_, n) =>
        store.tasks.claim(request(start, `t${n}`)),
      );
      const won = (await Promise.all(asked)).filter((task) => task !== undefined);
      expect(won).toHaveLength(1);
      expect(await store.tasks.get(keyOf(start))).toEqual(won[0]);
    });

    it('refuses a claim while another holds, and gives it when the hold has ended', async () => {
      const start = newStart();
      await claimed(start);
      expect(await store.tasks.claim(request(start, 'second', 4999))).toBeUndefined();
      const taken = await store.tasks.claim(request(start, 'second', 5000, 9000));
      expect(taken?.claim).toMatchObject({ fence: 2, token: 'second', untilMs: 9000 });
    });

    it('refuses a claim with other arguments', async () => {
      const start = newStart();
      await store.tasks.create(start);
      const other = { ...start, arguments: near({ other: true }) };
      expect(await store.tasks.claim(request(other, 'first'))).toBeUndefined();
    });

    it('renews and releases only for the holder', async () => {
      const start = newStart();
      const { claim } = await claimed(start);
      const key = keyOf(start);
      expect(await store.tasks.renew(key, claim.fence + 1, 9000)).toBeUndefined();
      expect((await store.tasks.renew(key, claim.fence, 9000))?.claim.untilMs).toBe(9000);
      const failed = await store.tasks.release(key, claim.fence, { why: 'failed', atMs: 2600 });
      expect(failed?.claim).toMatchObject({ untilMs: 0, failures: 1, pauses: 0 });
      expect(await store.tasks.renew(key, claim.fence, 9500)).toBeUndefined();
      expect(await store.tasks.release(key, 1, { why: 'paused', atMs: 1 })).toBeUndefined();
      const again = await store.tasks.claim(request(start, 'second', 2700));
      const paused = await store.tasks.release(key, again?.claim.fence ?? 0, {
        why: 'paused',
        atMs: 2800,
      });
      expect(paused?.claim).toMatchObject({ fence: 2, failures: 1, pauses: 1 });
    });

    it('numbers events, renews with progress, and refuses an old fence', async () => {
      const start = newStart();
      const { claim } = await claimed(start);
      const key = keyOf(start);
      const first = await store.tasks.record(key, claim, progressed(25));
      expect(first).toMatchObject({ sequence: 1, progress: { percent: 25, message: 'at 25' } });
      expect(first?.claim.untilMs).toBe(6000);
      expect(await store.tasks.record(key, { fence: 7 }, progressed(50))).toBeUndefined();
      expect((await store.tasks.record(key, claim, progressed(50)))?.sequence).toBe(2);
      expect(await store.tasks.get(key)).toMatchObject({ sequence: 2, updatedAtMs: 2500 });
    });

    it('ends a task once, and nothing follows the end', async () => {
      const start = newStart();
      const { claim } = await claimed(start);
      const key = keyOf(start);
      const ended = await store.tasks.record(key, claim, completed({ answer: 42 }));
      expect(ended?.state).toMatchObject({ status: 'completed', endedAtMs: 3000 });
      expect(await store.tasks.record(key, claim, progressed(99))).toBeUndefined();
      expect(
        await store.tasks.record(key, 'anyone', { kind: 'cancelled', atMs: 9 }),
      ).toBeUndefined();
      expect(await store.tasks.claim(request(start, 'late', 99_000))).toBeUndefined();
      expect(await store.tasks.renew(key, claim.fence, 9000)).toBeUndefined();
      expect(await store.tasks.get(key)).toEqual(ended);
    });

    it('gives one end to twenty who bring one', async () => {
      const start = newStart();
      await store.tasks.create(start);
      const key = keyOf(start);
      const ends = Array.from({ length: 20 }, (_, atMs) =>
        store.tasks.record(key, 'anyone', {
          kind: 'failed',
          atMs,
          error: { code: 'timed_out', message: String(atMs) },
        }),
      );
      const won = (await Promise.all(ends)).filter((task) => task !== undefined);
      expect(won).toHaveLength(1);
      expect(await store.tasks.get(key)).toEqual(won[0]);
    });

    it.each([
      ['small', 10],
      ['middling', 2000],
      ['large', 60_000],
    ] as const)(
      'keeps a %s result apart from the events and gives it back',
      async (_size, bytes) => {
        const start = newStart({ arguments: near({ text: 'a'.repeat(bytes) }) });
        expect(await store.tasks.create(start)).toBe(true);
        const { claim } = await claimed(start);
        const event = completed({ text: Array.from({ length: bytes }, (_, n) => n % 10).join('') });
        await store.tasks.record(keyOf(start), claim, event);
        const task = await store.tasks.get(keyOf(start));
        expect(task?.state).toMatchObject({ resultDigest: event.result.digest });
        if (!task) throw new Error('gone');
        expect(await store.tasks.result(task)).toEqual(event.result);
      },
    );

    it('keeps the checkpoint of the latest claim', async () => {
      const key = keyOf(newStart());
      expect(await store.tasks.checkpoint(key)).toBeUndefined();
      expect(await store.tasks.keepCheckpoint(key, 2, '{"n":1}')).toBe(true);
      expect(await store.tasks.keepCheckpoint(key, 1, '{"n":0}')).toBe(false);
      expect(await store.tasks.keepCheckpoint(key, 2, '{"n":2}')).toBe(true);
      expect(await store.tasks.checkpoint(key)).toBe('{"n":2}');
    });

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

    it('remembers how far the sweep has looked', async () => {
      expect(await store.sweepMark.read()).toBe(0);
      await store.sweepMark.write(123);
      expect(await store.sweepMark.read()).toBe(123);
    });
  });
}
