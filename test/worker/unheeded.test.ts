import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TaskContext } from '../../functions/core/tool.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

type Report = (task: TaskContext) => Promise<void>;

it.each<[string, Report]>([
  ['progress', (task) => task.progress(50)],
  ['result', (task) => task.result({})],
  ['checkpoint', (task) => task.checkpoint(1)],
])(
  '%s after the run is over is refused, and harms nobody who does not await it',
  async (_, report) => {
    const contexts: TaskContext[] = [];
    const run = async (_input: unknown, task: TaskContext) => void contexts.push(task);
    const house = memoryHouse({ tools: [testTool({ run })] });
    await house.start();
    await house.pump();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    for (const task of contexts) void report(task);
    for (let round = 0; round < 5; round += 1) await nextRound();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    for (const task of contexts) await expect(report(task)).rejects.toThrow('This run is over');
    expect(contexts).toHaveLength(1);
  },
);
