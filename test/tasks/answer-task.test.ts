import { describe, expect, it } from 'vitest';
import { answerFrom, questionName, startOf } from '../../functions/core/question.ts';
import { asOwner, asTaskId } from '../../functions/core/ids.ts';
import { answerBytesMax } from '../../functions/core/limits.ts';
import type { WorkMessage } from '../../functions/core/work-message.ts';
import { answerTask } from '../../functions/tasks/answer-task.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    level: { type: 'string', enum: ['low', 'high'] },
    age: { type: 'integer', minimum: 0 },
  },
  required: ['level'],
};

async function waiting() {
  const house = memoryHouse({
    tools: [testTool({ run: (_input, task) => task.ask({ key: 'who', message: 'Who?', schema }) })],
  });
  const task = await house.start();
  await house.pump();
  const answer = (value: unknown, key = 'who') => answerTask(house.ports, task, { key, value });
  return { house, task, answer };
}

const reasonOf = (refused: Awaited<ReturnType<typeof answerTask>>) =>
  refused.ok ? 'taken' : refused.failure.reason;

describe('an answer', () => {
  it('is taken once; the same again is no conflict, another is', async () => {
    const { house, answer } = await waiting();
    expect(reasonOf(await answer({ level: 'low' }))).toBe('taken');
    expect(reasonOf(await answer({ level: 'low' }))).toBe('taken');
    expect(reasonOf(await answer({ action: 'accept', content: { level: 'low' } }))).toBe('taken');
    expect(reasonOf(await answer({ level: 'high' }))).toBe('response_conflict');
    expect(reasonOf(await answer({ action: 'decline' }))).toBe('response_conflict');
    expect(house.ports.work.size).toBe(1);
  });

  it('of two at once, one counts', async () => {
    const { house, task, answer } = await waiting();
    const said = ['low', 'high', 'low', 'high'];
    const outcomes = await Promise.all(said.map((level) => answer({ level })));
    expect(new Set(outcomes.map(reasonOf))).toEqual(new Set(['taken', 'response_conflict']));
    await house.pump();
    const { state } = await house.task(task);
    const won = said.filter((_, index) => outcomes[index]?.ok);
    expect(new Set(won).size).toBe(1);
    expect(JSON.stringify(state)).toContain(String(won[0]));
  });

  it('that is given again after the end is taken as before, and no other', async () => {
    const { house, task, answer } = await waiting();
    await answer({ level: 'low' });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('completed');
    expect(reasonOf(await answer({ level: 'low' }))).toBe('taken');
    expect(reasonOf(await answer({ level: 'high' }))).toBe('response_conflict');
    expect(reasonOf(await answer({ level: 'low' }, 'what'))).toBe('task_ended');
    expect(house.ports.work.size).toBe(0);
  });

  it('must fit the schema of its question', async () => {
    const { house, task, answer } = await waiting();
    const wrong = await answer({ level: 'middle', age: 1.5 });
    expect(wrong).toMatchObject({
      failure: {
        reason: 'invalid_arguments',
        flaws: [{ path: 'value.level' }, { path: 'value.age' }],
      },
    });
    expect(reasonOf(await answer('low'))).toBe('invalid_arguments');
    expect(reasonOf(await answer({ level: 'low', more: 'x'.repeat(answerBytesMax) }))).toBe(
      'body_too_large',
    );
    expect((await house.task(task)).state.status).toBe('input_required');
  });

  it('to what is not asked is refused, and so is one to a task that is not there or over', async () => {
    const { house, task, answer } = await waiting();
    expect(reasonOf(await answer({ level: 'low' }, 'what'))).toBe('response_conflict');
    const said = { key: 'who', value: { level: 'low' } };
    const foreign = { ...task, owner: asOwner('bob') };
    const unknown = { ...task, taskId: asTaskId('task_unknown') };
    expect(reasonOf(await answerTask(house.ports, foreign, said))).toBe('task_not_found');
    expect(reasonOf(await answerTask(house.ports, unknown, said))).toBe('task_not_found');
    await cancelTask(house.ports, task);
    expect(reasonOf(await answer({ level: 'low' }))).toBe('task_ended');
    expect(house.ports.work.size).toBe(1);
  });

  it('goes out before it is applied', async () => {
    const { house, task } = await waiting();
    const order: string[] = [];
    const { tasks, work } = house.ports;
    const ports = {
      ...house.ports,
      work: {
        send: async (messages: readonly WorkMessage[]) => {
          order.push(...messages.map(({ kind }) => kind));
          await work.send(messages);
        },
      },
      tasks: {
        ...tasks,
        async record(...given: Parameters<typeof tasks.record>) {
          order.push(given[2].kind);
          return tasks.record(...given);
        },
      },
    };
    await answerTask(ports, task, { key: 'who', value: { level: 'low' } });
    expect(order).toEqual(['answer', 'answered']);
  });
});

describe('answerFrom', () => {
  it.each([
    [{ action: 'decline' }, { action: 'decline' }],
    [{ action: 'cancel' }, { action: 'cancel' }],
    [
      { action: 'accept', content: { a: 1 } },
      { action: 'accept', content: { a: 1 } },
    ],
    [{ action: 'accept' }, { action: 'accept', content: {} }],
    [{ a: 1 }, { action: 'accept', content: { a: 1 } }],
    [
      { action: 'decline', why: 'x' },
      { action: 'accept', content: { action: 'decline', why: 'x' } },
    ],
    [true, { action: 'accept', content: true }],
    [null, { action: 'accept', content: null }],
  ])('reads %j', (value, answer) => {
    expect(answerFrom(value)).toEqual(answer);
  });
});

it('a start can be told again from its task', async () => {
  const { house, task } = await waiting();
  const stored = await house.task(task);
  const start = startOf(stored, await house.ports.tasks.arguments(stored));
  const { argumentsDigest, owner, taskId } = task;
  expect(start).toMatchObject({ owner, taskId, arguments: { digest: argumentsDigest } });
  expect(questionName('who')).toHaveLength(10);
});
