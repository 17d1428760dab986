import { describe, expect, it } from 'vitest';
import { claimDefaultMs, questionsPerTaskMax } from '../../functions/core/limits.ts';
import type { Answer, AskedQuestion, TaskContext } from '../../functions/core/tool.ts';
import type { TaskKey } from '../../functions/core/task.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { answerTask } from '../../functions/tasks/answer-task.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { openQuestions } from '../../functions/tasks/open-questions.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { memoryHouse, type HouseOptions, type MemoryHouse } from '../house.ts';
import { ringingHouse, session } from '../ringing-house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

const question = (key: string): AskedQuestion => ({
  key,
  message: `${key}?`,
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});
const yes = { action: 'accept', content: { ok: true } } as const;

/** A tool that asks, acts, and gives back what it was told. */
function asker(keys: readonly string[] = ['go'], more: TestTool = {}) {
  const seen = { runs: 0, acts: 0, told: [] as (readonly Answer[])[] };
  const run = async (_input: unknown, task: TaskContext) => {
    seen.runs += 1;
    const told = await task.askAll(keys.map(question));
    seen.acts += 1;
    seen.told.push(told);
    return { told };
  };
  return { seen, tool: testTool({ run, ...more }) };
}

const houseOf = (tool: TestTool, options: HouseOptions = {}) =>
  memoryHouse({ ...options, tools: [testTool(tool)] });

const resultOf = async (house: MemoryHouse, key: TaskKey) => {
  const ended = await house.task(key);
  return readValue(house.ports, await house.ports.tasks.result(ended));
};

describe('a tool that asks', () => {
  it('waits without a worker or a message, and its session is rung', async () => {
    const { seen, tool } = asker(['go', 'how']);
    const { house, ports, rings, handleAll } = ringingHouse({ tools: [tool] });
    const task = await house.start({ caller: session });
    await handleAll();
    const now = await house.task(task);
    expect(now).toMatchObject({
      state: { status: 'input_required' },
      asked: 2,
      sequence: 1,
      claim: { untilMs: 0, failures: 0, pauses: 1 },
    });
    expect(await openQuestions(ports, now)).toEqual([question('go'), question('how')]);
    expect([seen.runs, seen.acts, ports.work.size, rings.length]).toEqual([1, 0, 0, 1]);
    expect(house.facts).toContain('task asks');
  });

  it('goes on from the top with the answer, and acts once', async () => {
    const { seen, tool } = asker();
    const house = memoryHouse({ tools: [tool] });
    const task = await house.start();
    await house.pump();
    const answered = await answerTask(house.ports, task, { key: 'go', value: { ok: true } });
    expect(answered).toMatchObject({ ok: true, value: { state: { status: 'working' } } });
    await house.pump();
    expect(await resultOf(house, task)).toEqual({ told: [yes] });
    expect([seen.runs, seen.acts, house.ports.work.size]).toEqual([2, 1, 0]);
  });

  it('goes on only when every question has its answer, told in the order of the questions', async () => {
    const { seen, tool } = asker(['a', 'b']);
    const house = memoryHouse({ tools: [tool] });
    const task = await house.start();
    await house.pump();
    await answerTask(house.ports, task, { key: 'b', value: { action: 'decline' } });
    await house.pump();
    const open = await openQuestions(house.ports, await house.task(task));
    expect(open).toEqual([question('a')]);
    expect(seen.runs).toBe(1);
    await answerTask(house.ports, task, { key: 'a', value: yes });
    await house.pump();
    expect(seen.told).toEqual([[yes, { action: 'decline' }]]);
  });

  it('is no death and no failure for a tool that may not be run twice', async () => {
    const { tool } = asker(['go'], { idempotent: false, retries: 0 });
    const house = memoryHouse({ tools: [tool] });
    const task = await house.start();
    await house.pump();
    await answerTask(house.ports, task, { key: 'go', value: yes });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('completed');
  });

  it('runs once for each answer although every message comes twice', async () => {
    const { seen, tool } = asker();
    const house = memoryHouse({ tools: [tool], deliverTwice: true });
    const task = await house.start();
    await house.pump();
    await answerTask(house.ports, task, { key: 'go', value: yes });
    await house.runFor(claimDefaultMs + 2000);
    expect((await house.task(task)).state.status).toBe('completed');
    expect([seen.runs, seen.acts, house.ports.work.size]).toEqual([2, 1, 0]);
  });

  it('may ask one after another', async () => {
    const told: Answer[] = [];
    const house = houseOf({
      async run(_input, task) {
        const first = await task.ask(question('first'));
        const second = await task.ask(question('second'));
        told.push(first, second);
        return 'done';
      },
    });
    const task = await house.start();
    await house.pump();
    for (const key of ['first', 'second']) {
      expect(await openQuestions(house.ports, await house.task(task))).toEqual([question(key)]);
      await answerTask(house.ports, task, { key, value: { ok: true } });
      await house.pump();
    }
    expect(told).toEqual([yes, yes]);
    expect(await house.task(task)).toMatchObject({ asked: 2, state: { status: 'completed' } });
  });

  it('cannot go on unanswered, whatever it catches', async () => {
    let harm = 0;
    const house = houseOf({
      async run(_input, task) {
        try {
          await task.ask(question('go'));
        } catch {
          // A careless author.
        } finally {
          harm += 1;
        }
        return 'gone';
      },
    });
    const task = await house.start();
    await house.runFor(60_000);
    expect(harm).toBe(0);
    expect((await house.task(task)).state.status).toBe('input_required');
  });

  it('cannot end or report beside its question', async () => {
    const house = houseOf({
      async run(_input, task) {
        void task.ask(question('go'));
        await new Promise((resolve) => setTimeout(resolve, 5));
        await task.progress(50).catch(() => {});
        return 'gone';
      },
    });
    const task = await house.start();
    await house.pump();
    const now = await house.task(task);
    expect(now).toMatchObject({ state: { status: 'input_required' }, progress: undefined });
    expect(house.ports.work.size).toBe(0);
  });

  it.each([
    ['nothing', []],
    ['two of one key', [question('a'), question('a')]],
    ['without a key', [question('')]],
    ['with too long a key', [question('k'.repeat(513))]],
    ['without words', [{ ...question('a'), message: ' ' }]],
    ['with too much', [{ ...question('a'), message: 'x'.repeat(20_000) }]],
    ['with a schema of no use', [{ ...question('a'), schema: { $ref: '#/$defs/none' } }]],
    ['too often', Array.from({ length: questionsPerTaskMax + 1 }, (_, n) => question(`${n}`))],
  ] as const)('fails for good when it asks %s', async (_what, questions) => {
    const house = houseOf({ run: (_input, task) => task.askAll(questions) });
    const task = await house.start();
    await house.pump();
    const { state } = await house.task(task);
    expect(state).toMatchObject({ status: 'failed', error: { code: 'tool_failed' } });
  });

  it.each(['before', 'after'] as const)(
    'begins again when its question is lost %s it was written',
    async (when) => {
      let faults = 1;
      const { seen, tool } = asker(['go'], { idempotent: false, retries: 0 });
      const house = memoryHouse({ tools: [tool] });
      const { tasks } = house.ports;
      const record: TaskStore['record'] = async (key, writer, event) => {
        const isLost = event.kind === 'asked' && (faults -= 1) >= 0;
        const recorded =
          isLost && when === 'before' ? undefined : await tasks.record(key, writer, event);
        if (isLost) throw new Error('no reply');
        return recorded;
      };
      const ports = { ...house.ports, tasks: { ...tasks, record } };
      Object.assign(house.ports, ports);
      const task = await house.start();
      await house.runFor(claimDefaultMs * 2);
      expect((await house.task(task)).state.status).toBe('input_required');
      await answerTask(house.ports, task, { key: 'go', value: yes });
      await house.runFor(claimDefaultMs * 2);
      expect((await house.task(task)).state.status).toBe('completed');
      expect([seen.acts, house.ports.work.size]).toEqual([1, 0]);
    },
  );

  it('takes an answer that only its message brings', async () => {
    const { seen, tool } = asker();
    const house = memoryHouse({ tools: [tool] });
    const task = await house.start();
    await house.pump();
    const { tasks } = house.ports;
    const dying = { ...house.ports, tasks: { ...tasks, keepAnswer: () => Promise.reject(dead) } };
    await expect(answerTask(dying, task, { key: 'go', value: yes })).rejects.toBe(dead);
    expect((await house.task(task)).state.status).toBe('input_required');
    await house.pump();
    expect((await house.task(task)).state.status).toBe('completed');
    expect([seen.runs, seen.acts]).toEqual([2, 1]);
  });

  it('keeps its deadline while it waits', async () => {
    const { tool } = asker(['go'], { deadlineMs: 60_000 });
    const house = memoryHouse({ tools: [tool] });
    const task = await house.start();
    await house.pump();
    await house.clock.advance(61_000);
    await sweep(house.ports);
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({ error: { code: 'timed_out' } });
    const late = await answerTask(house.ports, task, { key: 'go', value: yes });
    expect(late).toMatchObject({ failure: { reason: 'task_ended' } });
  });
});

const dead = new Error('the process died');
