import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { waitingGuidance } from '../../functions/core/guidance.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { external, type ExternalDefinition } from '../../functions/tools/define-external.ts';
import { alice } from '../house.ts';
import { demoHouse } from '../running-house.ts';

type Definition = ExternalDefinition<z.ZodObject, z.ZodType>;

const right: Definition = {
  name: 'right',
  description: 'Is right.',
  input: z.object({ n: z.int().default(7) }),
  start: ({ n }, { callback }) => ({ n, reports_to: callback.url }),
};

describe('an external tool', () => {
  it('is long-running, and only sets its work off', async () => {
    const house = demoHouse({ tools: [external({ ...right, silenceS: 30, deadlineS: 60 })] });
    const task = await house.start({ tool: 'right' });
    expect(task).toMatchObject({ silenceMs: 30_000, dueMs: task.createdAtMs + 30_000 });
    await house.pump();
    const open = await house.task(task);
    expect(open).toMatchObject({ handedOff: true, state: { status: 'working' } });
    const initial = await house.ports.tasks.initial(open);
    expect(initial && (await readValue(house.ports, initial))).toEqual({
      n: 7,
      reports_to: `https://boomerang.example/callbacks/${task.taskId}`,
    });
  });

  it('tells the model how to wait', () => {
    const tool = external(right);
    expect(tool).toMatchObject({ longRunning: true, external: true, silenceMs: undefined });
    expect(tool.description).toBe(`Is right.\n\n${waitingGuidance}`);
  });

  const wrong: [string, Partial<Definition>, string][] = [
    ['no start', { start: 'no' as never }, 'it has no start function'],
    ['no silence', { silenceS: 0 }, 'silenceS must be a whole number of seconds, 1 to'],
    ['half a second', { silenceS: 0.5 }, 'silenceS must be a whole number of seconds, 1 to'],
    ['no description', { description: '' }, 'it has no description'],
    ['a wrong mark', { progressAt: [101] }, 'progressAt must be'],
  ];

  it.each(wrong)('with %s is refused by name', (_what, change, fault) => {
    expect(() => external({ ...right, ...change })).toThrow(
      `Tool "right" is not defined right: ${fault}`,
    );
  });
});

describe('deploy_to_staging', () => {
  const start = async () => {
    const house = demoHouse();
    const args = { version: 'v2.5.0', environment: 'staging' };
    const task = await house.start({ tool: 'deploy_to_staging', arguments: args });
    await house.pump();
    return { house, task: await house.task(task) };
  };

  it('starts with an id of its own and waits for its callback', async () => {
    const { house, task } = await start();
    const initial = await house.ports.tasks.initial(task);
    expect(initial && (await readValue(house.ports, initial))).toEqual({
      deployment_id: expect.stringMatching(/^deploy-[0-9a-f]{8}$/),
      status: 'started',
      version: 'v2.5.0',
      environment: 'staging',
    });
    await house.runFor(8 * 60_000);
    expect((await house.task(task)).state.status).toBe('working');
  });

  it('takes a result with more in it than it names, and none with less', async () => {
    const { house, task } = await start();
    const short = await respondToTask(house.ports, task, { result: { status: 'ok' } }, 'callback');
    expect(short).toMatchObject({ ok: false, failure: { reason: 'result_schema_mismatch' } });
    const result = {
      status: 'live',
      url: 'https://staging.example',
      duration: '8m',
      commit: 'abc',
    };
    expect((await respondToTask(house.ports, task, { result }, 'callback')).ok).toBe(true);
    const ended = await house.task(task);
    expect(await readValue(house.ports, await house.ports.tasks.result(ended))).toEqual(result);
  });
});

describe('demo_wait', () => {
  it('gives as many results as it is told to, spread over its time', async () => {
    const house = demoHouse();
    const args = { seconds: 6, results: 3, progress: 2, result: 'last' };
    const task = await house.start({ owner: alice, tool: 'demo_wait', arguments: args });
    expect(task.resultsMax).toBe(3);
    const seen: unknown[] = [];
    for (let second = 0; second < 6; second += 1) {
      await house.runFor(1000);
      const { parts, progress } = await house.task(task);
      seen.push([parts, progress?.percent ?? 0]);
    }
    expect(seen).toEqual([
      [0, 0],
      [1, 0],
      [1, 50],
      [2, 50],
      [2, 50],
      [2, 100],
    ]);
    const ended = await house.task(task);
    expect(await house.ports.tasks.result(ended)).toMatchObject({ json: '"last"' });
    expect(await house.ports.tasks.part(ended, 2)).toMatchObject({ json: '{"part":2,"of":3}' });
  });

  it('gives one when nothing is said', async () => {
    const house = demoHouse();
    const task = await house.start({ tool: 'demo_wait', arguments: { seconds: 0 } });
    expect(task.resultsMax).toBe(1);
  });
});
