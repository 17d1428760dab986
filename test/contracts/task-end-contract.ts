import { expect, it } from 'vitest';
import { keyOf } from '../../functions/core/task.ts';
import { near } from './session-samples.ts';
import {
  claimer,
  completed,
  failed,
  newStart,
  progressed,
  request,
  type TaskStores,
} from './task-samples.ts';

/** What every task store must do with an end, and with what comes after it. */
export function endRules(store: TaskStores): void {
  const claimed = claimer(store);

  it('ends a task once, and nothing follows the end', async () => {
    const start = newStart();
    const task = await claimed(start);
    const { claim } = task;
    const key = keyOf(start);
    const ended = await store.tasks.record(key, claim, completed({ answer: 42 }));
    if (!ended) throw new Error('the end was refused');
    expect(ended.state).toMatchObject({ status: 'completed', endedAtMs: 3000, by: 'worker' });
    expect(await store.tasks.record(key, claim, progressed(ended, 99))).toBeUndefined();
    expect(await store.tasks.record(key, 'anyone', { kind: 'cancelled', atMs: 9 })).toBeUndefined();
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
  ] as const)('keeps a %s result apart from the events and gives it back', async (_size, bytes) => {
    const start = newStart({ arguments: near({ text: 'a'.repeat(bytes) }) });
    expect(await store.tasks.create(start)).toBe(true);
    const { claim } = await claimed(start);
    const event = completed({ text: Array.from({ length: bytes }, (_, n) => n % 10).join('') });
    await store.tasks.record(keyOf(start), claim, event);
    const task = await store.tasks.get(keyOf(start));
    expect(task?.state).toMatchObject({ resultDigest: event.result.digest });
    if (!task) throw new Error('gone');
    expect(await store.tasks.result(task)).toEqual(event.result);
  });
}
