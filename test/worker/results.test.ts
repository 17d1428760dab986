import { describe, expect, it } from 'vitest';
import { workerDeath } from '../../functions/core/author-errors.ts';
import { messageOf } from '../../functions/core/retry.ts';
import { refuse } from '../../functions/core/result.ts';
import type { Task } from '../../functions/core/task.ts';
import type { Tool } from '../../functions/core/tool.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { memoryHouse, type HousePorts } from '../house.ts';
import { ringingHouse, session } from '../ringing-house.ts';
import { testTool } from '../test-tool.ts';

const upTo = (max: number) => ({ results: () => ({ min: 1, max }) });

const partsOf = async (ports: HousePorts, task: Task) =>
  Promise.all(
    Array.from({ length: task.parts }, async (_, index) =>
      readValue(ports, await ports.tasks.part(task, index + 1)),
    ),
  );

describe('a tool with several results', () => {
  const threeTimes: Tool['run'] = async (_input, task) => {
    await task.result({ n: 1 });
    await task.progress(60);
    await task.result({ n: 2 });
    return { n: 3 };
  };

  it('gives each under its number, rings for each, and ends with the last', async () => {
    const { house, ports, rings, handleAll } = ringingHouse({
      tools: [testTool({ ...upTo(3), run: threeTimes })],
    });
    const task = await house.start({ caller: session });
    expect(task).toMatchObject({ parts: 0, resultsMax: 3 });
    await handleAll();
    const ended = await house.task(task);
    expect(ended).toMatchObject({ parts: 2, sequence: 4, state: { status: 'completed' } });
    expect(await partsOf(ports, ended)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await readValue(ports, await ports.tasks.result(ended))).toEqual({ n: 3 });
    expect(rings).toHaveLength(3);
  });

  it('gives them once although its worker died and it began again from the top', async () => {
    const { house, ports, rings, runFor } = ringingHouse({
      tools: [
        testTool({
          ...upTo(4),
          async run(_input, task) {
            await task.result('first');
            await task.result('second');
            if (task.attempt === 1) throw workerDeath;
            await task.result('third');
            return 'last';
          },
        }),
      ],
    });
    const task = await house.start({ caller: session });
    await runFor(130_000);
    const ended = await house.task(task);
    expect(ended.state.status).toBe('completed');
    expect(await partsOf(ports, ended)).toEqual(['first', 'second', 'third']);
    expect(rings).toHaveLength(6);
  });

  it('goes on where its checkpoint left it', async () => {
    const house = memoryHouse({
      tools: [
        testTool({
          ...upTo(4),
          async run(_input, task) {
            const from = typeof task.state === 'number' ? task.state : 0;
            for (let n = from; n < 3; n += 1) {
              await task.result(n === 1 ? 'same' : `part ${n}`);
              await task.checkpoint(n + 1);
              if (n === 1 && task.attempt === 1) throw new Error('once more');
            }
            return 'last';
          },
        }),
      ],
    });
    const task = await house.start();
    await house.runFor(5000);
    expect(await partsOf(house.ports, await house.task(task))).toEqual([
      'part 0',
      'same',
      'part 2',
    ]);
  });

  it.each([
    [1, 'slow gives at most one result'],
    [2, 'slow gives at most 2 results'],
  ])('of at most %i fails when it gives more', async (max, message) => {
    const house = memoryHouse({ tools: [testTool({ ...upTo(max), run: threeTimes })] });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      parts: max - 1,
      state: { status: 'failed', error: { message: expect.stringContaining(message) } },
    });
  });

  it('fails when one of them does not match its output', async () => {
    const flaws = [{ path: 'n', message: 'is not text' }];
    const house = memoryHouse({
      tools: [
        testTool({
          ...upTo(3),
          run: threeTimes,
          checkResult: () => refuse({ reason: 'invalid_arguments', tool: 'slow', flaws }),
        }),
      ],
    });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      parts: 0,
      state: { status: 'failed', error: { message: expect.stringContaining('n: is not text') } },
    });
  });

  it('is stopped by a result from outside that was the last one', async () => {
    const refusals: string[] = [];
    const house = memoryHouse({
      tools: [
        testTool({
          ...upTo(2),
          async run(_input, task) {
            await house.clock.sleep(5000);
            await task.result('mine').catch((thrown: unknown) => refusals.push(messageOf(thrown)));
          },
        }),
      ],
    });
    const task = await house.start();
    await house.runFor(1000);
    for (const result of ['a', 'b']) {
      await respondToTask(house.ports, await house.task(task), { result }, 'response');
    }
    await house.runFor(10_000);
    expect(refusals).toEqual([expect.stringContaining('must stop')]);
    expect(await partsOf(house.ports, await house.task(task))).toEqual(['a']);
  });
});

describe('reports', () => {
  it('made at once are written one after another, each with its number', async () => {
    const house = memoryHouse({
      tools: [
        testTool({
          ...upTo(9),
          run: (_input, task) =>
            Promise.all([
              task.progress(10),
              task.result('x'),
              task.progress(90),
              task.progress(50),
            ]),
        }),
      ],
    });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      sequence: 5,
      parts: 1,
      recent: [
        { sequence: 1, percent: 10 },
        { sequence: 3, percent: 90 },
        { sequence: 4, percent: 90 },
      ],
    });
  });

  it('go on when someone outside reports as well, and the numbers stay exact', async () => {
    const house = memoryHouse({
      tools: [
        testTool({
          async run(_input, task) {
            for (let n = 1; n <= 5; n += 1) {
              const now = await house.task(started);
              await respondToTask(house.ports, now, { progress: { message: 'else' } }, 'callback');
              await task.progress(n * 10, `mine ${n}`);
            }
          },
        }),
      ],
    });
    const started = await house.start();
    await house.pump();
    const { sequence, recent, state } = await house.task(started);
    expect({ sequence, status: state.status }).toEqual({ sequence: 11, status: 'completed' });
    expect(recent.map((note) => note.sequence)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(recent.at(-1)).toMatchObject({ percent: 50, message: 'mine 5' });
  });

  it('whose answer was lost are not written twice', async () => {
    const house = memoryHouse({
      wrapTasks: twice,
      tools: [
        testTool({
          ...upTo(3),
          async run(_input, task) {
            await task.progress(50, 'half');
            await task.result('part');
            return 'last';
          },
        }),
      ],
    });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      sequence: 3,
      parts: 1,
      recent: [{ sequence: 1 }],
    });
  });

  it('ring a session at the marks of the tool, and only there', async () => {
    const { house, rings, handleAll } = ringingHouse({
      tools: [
        testTool({
          progressAt: [25, 50],
          async run(_input, task) {
            for (const percent of [10, 24, 25, 30, 80, 100]) await task.progress(percent);
          },
        }),
      ],
    });
    await house.start({ caller: session });
    await handleAll();
    expect(rings).toHaveLength(3);
    await house.start();
    await handleAll();
    expect(rings).toHaveLength(3);
  });

  it('do not fail a tool because a ring could not be sent', async () => {
    let away = true;
    const { house, ports, thrown, handleAll } = ringingHouse({
      tools: [testTool({ progressAt: [50], run: (_input, task) => task.progress(50) })],
      sendRings: () => (away ? Promise.reject(new Error('the queue is away')) : Promise.resolve()),
    });
    const task = await house.start({ caller: session });
    await handleAll();
    expect(thrown).toHaveLength(1);
    expect((await house.task(task)).state.status).toBe('completed');
    expect(house.facts).toContain('session not told');
    away = false;
    await house.clock.advance(130_000);
    await handleAll();
    expect(ports.work.size).toBe(0);
  });
});

/** What an SDK does on its own when a reply is lost: it asks again, and that is refused. */
const twice = (tasks: TaskStore): TaskStore => ({
  ...tasks,
  async record(key, writer, event) {
    if (event.kind === 'progressed' || event.kind === 'yielded') {
      await tasks.record(key, writer, event);
    }
    return tasks.record(key, writer, event);
  },
});
