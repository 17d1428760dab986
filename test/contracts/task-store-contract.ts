import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCallId, asOwner, asSessionId, asTaskId } from '../../functions/core/ids.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import { keyOf, newTask } from '../../functions/core/task.ts';
import { titleOf } from './engines.ts';
import { near } from './session-samples.ts';
import { endRules } from './task-end-contract.ts';
import { listRules } from './task-lists-contract.ts';
import { questionRules } from './task-question-contract.ts';
import {
  claimer,
  completed,
  newStart,
  progressed,
  request,
  type TaskStores,
} from './task-samples.ts';

export interface StoreUnderTest extends TaskStores {
  stop(): Promise<void>;
}

/** What every task store must do, whatever it is made of. */
export function taskStoreContract(
  name: string,
  open: () => Promise<StoreUnderTest>,
  missing?: string,
): void {
  describe.skipIf(missing)(titleOf('task store', name, missing), () => {
    let under: StoreUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.stop());
    const store: TaskStores = {
      get tasks() {
        return under.tasks;
      },
      get sweepMark() {
        return under.sweepMark;
      },
    };

    claimRules(store);
    progressRules(store);
    questionRules(store);
    endRules(store);
    listRules(store);
  });
}

function claimRules(store: TaskStores): void {
  const claimed = claimer(store);

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
    const asked = Array.from({ length: 16 }, (_, n) => store.tasks.claim(request(start, `t${n}`)));
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

  it('keeps the checkpoint of the latest claim', async () => {
    const key = keyOf(newStart());
    expect(await store.tasks.checkpoint(key)).toBeUndefined();
    expect(await store.tasks.keepCheckpoint(key, 2, '{"n":1}')).toBe(true);
    expect(await store.tasks.keepCheckpoint(key, 1, '{"n":0}')).toBe(false);
    expect(await store.tasks.keepCheckpoint(key, 2, '{"n":2}')).toBe(true);
    expect(await store.tasks.checkpoint(key)).toBe('{"n":2}');
  });
}

function progressRules(store: TaskStores): void {
  const claimed = claimer(store);

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
}
