import { expect, it } from 'vitest';
import { keyOf } from '../../functions/core/task.ts';
import { near } from './session-samples.ts';
import { claimer, completed, newStart, request, type TaskStores } from './task-samples.ts';

/** What every task store must do with questions and their answers. */
export function questionRules(store: TaskStores): void {
  const claimed = claimer(store);

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
}
