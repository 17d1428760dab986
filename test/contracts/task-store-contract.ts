import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../functions/core/digest.ts';
import { asCallId, asOwner, asSessionId, asTaskId } from '../../functions/core/ids.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import type { StoredValue } from '../../functions/core/stored-value.ts';
import {
  keyOf,
  newTask,
  type Task,
  type TaskErrorCode,
  type TaskStart,
} from '../../functions/core/task.ts';
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
const progressed = (task: Task, percent: number, atMs = 2500) =>
  progressOnto(task, { percent, message: `at ${percent}` }, { atMs, claimUntilMs: 6000 });
const completed = (value: unknown) =>
  ({ kind: 'completed', result: near(value), atMs: 3000 }) as const;

const failed = (code: TaskErrorCode) =>
  ({ kind: 'failed', atMs: 9, error: { code, message: 'no' } }) as const;

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
        resultsMax: 3,
        silenceMs: 60_000,
        checkMs: 30_000,
        webhookId: 'url_1',
        unsent: true,
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
      const task = await claimed(start);
      const { claim } = task;
      const key = keyOf(start);
      const first = await store.tasks.record(key, claim, progressed(task, 25));
      if (!first) throw new Error('the progress was refused');
      expect(first).toMatchObject({ sequence: 1, progress: { percent: 25, message: 'at 25' } });
      expect(first.claim.untilMs).toBe(6000);
      expect(await store.tasks.record(key, { fence: 7 }, progressed(first, 50))).toBeUndefined();
      expect((await store.tasks.record(key, claim, progressed(first, 50)))?.sequence).toBe(2);
      expect(await store.tasks.get(key)).toMatchObject({ sequence: 2, updatedAtMs: 2500 });
    });

    it('takes progress only onto the task as it was read, from one of sixteen', async () => {
      const start = newStart();
      const task = await claimed(start);
      const said = Array.from({ length: 16 }, (_, n) => progressed(task, n + 1));
      const writers = ['anyone', task.claim] as const;
      const answers = await Promise.all(
        said.map((event, n) => store.tasks.record(keyOf(start), writers[n % 2] ?? 'anyone', event)),
      );
      const won = answers.filter((one) => one !== undefined);
      expect(won).toHaveLength(1);
      expect(won[0]).toMatchObject({ sequence: 1, recent: [{ sequence: 1 }] });
      expect(await store.tasks.get(keyOf(start))).toEqual(won[0]);
    });

    it('remembers the last eight progress events, the newest in full', async () => {
      const start = newStart();
      let task = await claimed(start);
      for (let n = 1; n <= 11; n += 1) {
        const report = { percent: 5 * n, message: `${n} ${'é'.repeat(70)}` };
        const event = progressOnto(task, report, { atMs: 3000 + 7 * n });
        const after = await store.tasks.record(keyOf(start), 'anyone', event);
        if (!after) throw new Error('the progress was refused');
        task = after;
      }
      const notes = Array.from({ length: 8 }, (_, index) => index + 4);
      expect(task.recent).toEqual(
        notes.map((n) => ({
          sequence: n,
          percent: 5 * n,
          atMs: 3000 + 7 * n,
          message: n === 11 ? `11 ${'é'.repeat(70)}` : expect.any(String),
        })),
      );
      expect(await store.tasks.get(keyOf(start))).toEqual(task);
      expect(task.claim.untilMs).toBe(5000);
    });

    it.each([
      ['small', 3],
      ['large', 50_000],
    ] as const)('keeps %s results before the last, each by its number', async (_size, bytes) => {
      const start = newStart({ resultsMax: 4 });
      let task = await claimed(start);
      expect(task).toMatchObject({ parts: 0, resultsMax: 4 });
      const parts = ['a', 'b', 'a'].map((letter) => near({ letter, text: letter.repeat(bytes) }));
      for (const part of parts) {
        const event = { kind: 'yielded', part, after: task.sequence, atMs: 2600 } as const;
        const after = await store.tasks.record(keyOf(start), task.claim, event);
        if (!after) throw new Error('the result was refused');
        task = after;
        expect(await store.tasks.record(keyOf(start), 'anyone', event)).toBeUndefined();
      }
      expect(task).toMatchObject({ parts: 3, sequence: 3, claim: { untilMs: 5000 } });
      const read = [1, 2, 3].map((number) => store.tasks.part(task, number));
      expect(await Promise.all(read)).toEqual(parts);
      expect(await store.tasks.hasPart(task, parts[1]?.digest ?? '')).toBe(true);
      expect(await store.tasks.hasPart(task, near('never given').digest)).toBe(false);
      await expect(store.tasks.part(task, 4)).rejects.toThrow('no result number 4');
    });

    it('never gives a part that lost for the one that was taken', async () => {
      const start = newStart({ resultsMax: 3 });
      const task = await claimed(start);
      const parts = Array.from({ length: 8 }, (_, n) => near({ n }));
      const answers = await Promise.all(
        parts.map((part) =>
          store.tasks.record(keyOf(start), 'anyone', { kind: 'yielded', part, after: 0, atMs: 1 }),
        ),
      );
      const won = answers.findIndex((answer) => answer !== undefined);
      expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
      expect(await store.tasks.part({ ...task, parts: 1 }, 1)).toEqual(parts[won]);
    });

    it.each([
      ['nothing', undefined],
      ['a little', { id: 'deploy-1' }],
      ['a lot', { log: Array.from({ length: 4000 }, (_, n) => n * 7919).join() }],
    ])('hands a task off with %s, and gives it to nobody again', async (_size, value) => {
      const start = newStart({ silenceMs: 60_000 });
      const task = await claimed(start);
      const initial = value && near(value);
      const event = { kind: 'handed_off', initial, atMs: 2700 } as const;
      const handed = await store.tasks.record(keyOf(start), task.claim, event);
      expect(handed).toMatchObject({ handedOff: true, sequence: 1, claim: { untilMs: 0 } });
      expect(handed?.initial?.digest).toBe(initial?.digest);
      expect(handed && (await store.tasks.initial(handed))).toEqual(initial);
      expect(await store.tasks.claim(request(start, 'late', 99_000))).toBeUndefined();
      expect(await store.tasks.get(keyOf(start))).toEqual(handed);
      expect((await store.tasks.record(keyOf(start), 'anyone', completed(1)))?.state.status).toBe(
        'completed',
      );
    });

    it.each([
      ['small', 3],
      ['large', 50_000],
    ] as const)('lets go of a task that asks %s questions until all are answered', async (_, n) => {
      const start = newStart();
      const task = await claimed(start);
      const key = keyOf(start);
      const names = ['first-name', 'other-name'];
      const questions = names.map((name) => ({ name, value: near({ name, text: 'x'.repeat(n) }) }));
      const event = { kind: 'asked', questions, atMs: 2600 } as const;
      expect(await store.tasks.record(key, { fence: 7 }, event)).toBeUndefined();
      const asking = await store.tasks.record(key, task.claim, event);
      if (!asking) throw new Error('the questions were refused');
      expect(asking).toMatchObject({
        asking: names,
        asked: 2,
        sequence: 1,
        updatedAtMs: 2600,
        claim: { fence: 1, untilMs: 0, pauses: 1, failures: 0 },
        state: { status: 'input_required' },
      });
      expect(await store.tasks.get(key)).toEqual(asking);
      const read = await Promise.all(names.map((name) => store.tasks.question(asking, name)));
      expect(read).toEqual(questions.map(({ value }) => value));
      expect(await store.tasks.record(key, task.claim, event)).toBeUndefined();
      expect(await store.tasks.record(key, task.claim, completed(1))).toBeUndefined();
      expect(await store.tasks.claim(request(start, 'second', 99_000))).toBeUndefined();

      const answered = (after: number, left: readonly string[]) =>
        ({ kind: 'answered', asking: left, after, atMs: 2700 }) as const;
      const one = await store.tasks.record(key, 'anyone', answered(1, ['other-name']));
      expect(one).toMatchObject({ asking: ['other-name'], state: { status: 'input_required' } });
      expect(await store.tasks.record(key, 'anyone', answered(1, []))).toBeUndefined();
      const both = await store.tasks.record(key, 'anyone', answered(2, []));
      expect(both).toMatchObject({ asking: [], asked: 2, state: { status: 'working' } });
      expect(await store.tasks.record(key, 'anyone', answered(3, []))).toBeUndefined();
      const again = await store.tasks.claim(request(start, 'second', 2800));
      expect(again?.claim).toMatchObject({ fence: 2, pauses: 1 });
      const more = { ...event, questions: [{ name: 'third-name', value: near('more') }] };
      const third = await store.tasks.record(key, { fence: 2 }, more);
      expect(third).toMatchObject({ asking: ['third-name'], asked: 3, claim: { pauses: 2 } });
      expect(await store.tasks.record(key, 'anyone', completed(1))).toMatchObject({ asked: 3 });
    });

    it('keeps the first question of a name, and the first answer of sixteen', async () => {
      const start = newStart();
      const key = keyOf(start);
      const { claim } = await claimed(start);
      const ask = (fence: number, words: string) =>
        store.tasks.record(
          key,
          { fence },
          { kind: 'asked', questions: [{ name: 'first-name', value: near(words) }], atMs: 2600 },
        );
      await ask(claim.fence, 'one');
      await store.tasks.record(key, 'anyone', { kind: 'answered', asking: [], after: 1, atMs: 2 });
      await store.tasks.claim(request(start, 'second', 2800));
      const task = await ask(2, 'two');
      expect(task && (await store.tasks.question(task, 'first-name'))).toEqual(near('one'));
      expect(await store.tasks.answer(key, 'first-name')).toBeUndefined();
      const said = Array.from({ length: 16 }, (_, n) => near({ n }));
      const kept = await Promise.all(
        said.map((answer) => store.tasks.keepAnswer(key, 'first-name', answer)),
      );
      expect(kept.filter(Boolean)).toHaveLength(1);
      expect(await store.tasks.answer(key, 'first-name')).toEqual(said[kept.indexOf(true)]);
      expect(await store.tasks.answer(key, 'other-name')).toBeUndefined();
    });

    it('ends a task once, and nothing follows the end', async () => {
      const start = newStart();
      const task = await claimed(start);
      const { claim } = task;
      const key = keyOf(start);
      const ended = await store.tasks.record(key, claim, completed({ answer: 42 }));
      if (!ended) throw new Error('the end was refused');
      expect(ended.state).toMatchObject({ status: 'completed', endedAtMs: 3000, by: 'worker' });
      expect(await store.tasks.record(key, claim, progressed(ended, 99))).toBeUndefined();
      expect(
        await store.tasks.record(key, 'anyone', { kind: 'cancelled', atMs: 9 }),
      ).toBeUndefined();
      expect(await store.tasks.claim(request(start, 'late', 99_000))).toBeUndefined();
      expect(await store.tasks.renew(key, claim.fence, 9000)).toBeUndefined();
      expect(await store.tasks.moveDue(key, 9_000_000)).toBeUndefined();
      expect(await store.tasks.keepLate(key, near('late'))).toBeUndefined();
      expect(await store.tasks.get(key)).toEqual(ended);
    });

    it.each(['response', 'callback'] as const)('remembers an end by %s', async (by) => {
      const start = newStart();
      await store.tasks.create(start);
      const ended = await store.tasks.record(keyOf(start), 'anyone', { ...completed(1), by });
      expect(ended?.state).toMatchObject({ status: 'completed', by });
      expect(await store.tasks.get(keyOf(start))).toEqual(ended);
    });

    it.each([
      ['cancelled', { kind: 'cancelled', atMs: 9 }, true],
      ['timed out', failed('timed_out'), true],
      ['failed otherwise', failed('tool_failed'), false],
    ] as const)('of a task that %s keeps one late result: %#', async (_how, end, takes) => {
      const start = newStart();
      await store.tasks.create(start);
      const key = keyOf(start);
      expect(await store.tasks.keepLate(key, near('too early'))).toBeUndefined();
      const ended = await store.tasks.record(key, 'anyone', end);
      const late = [10, 60_000].map((bytes) => near(Array.from({ length: bytes }, String).join()));
      const [first, second] = late;
      if (!ended || !first || !second) throw new Error('the end was refused');
      const answers = await Promise.all(late.map((value) => store.tasks.keepLate(key, value)));
      const kept = answers.filter((answer) => answer !== undefined);
      expect(kept).toHaveLength(takes ? 1 : 0);
      const now = await store.tasks.get(key);
      expect({ ...now, late: undefined }).toEqual(ended);
      const winner = answers[0] ? first : second;
      expect(now && (await store.tasks.late(now))).toEqual(takes ? winner : undefined);
    });

    it('fails a task for its silence only if nothing was heard of it since', async () => {
      const start = newStart();
      const task = await claimed(start);
      const heardAtMs = task.updatedAtMs;
      const key = keyOf(start);
      await store.tasks.record(key, 'anyone', progressed(task, 5));
      const unheard = { ...failed('timed_out'), heardAtMs };
      expect(await store.tasks.record(key, 'anyone', unheard)).toBeUndefined();
      const silent = await store.tasks.record(key, 'anyone', { ...unheard, heardAtMs: 2500 });
      expect(silent?.state).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
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
  });
}
