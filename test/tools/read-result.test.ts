import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { resultPageBytes } from '../../functions/core/limits.ts';
import { keyOf } from '../../functions/core/task.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { runQuick } from '../../functions/tasks/run-quick.ts';
import { alice, type MemoryHouse } from '../house.ts';
import { demoHouse } from '../running-house.ts';

const read = async (house: MemoryHouse, args: object, owner = alice) => {
  const tool = house.ports.tools.get('read_result');
  if (!tool) throw new Error('There is no read_result.');
  const { signal } = new AbortController();
  const outcome = await runQuick(house.ports, { owner, tool, arguments: args, signal });
  return outcome.ok ? outcome.value : outcome.failure;
};

const wait = (house: MemoryHouse, result: unknown) =>
  house.start({ tool: 'demo_wait', arguments: { seconds: 0, result } });

interface Page {
  readonly text: string;
  readonly offset: number;
  readonly next_offset?: number;
  readonly total_bytes: number;
}

describe('read_result', () => {
  it('gives a small result whole', async () => {
    const house = demoHouse();
    const { taskId } = await wait(house, { answer: 'é' });
    await house.pump();
    expect(await read(house, { task_id: taskId })).toEqual({
      status: 'completed',
      result: { text: '{"answer":"é"}', offset: 0, total_bytes: 15 },
    });
  });

  it.each(['x'.repeat(100_000), 'aé😀'.repeat(10_000)])(
    'gives a large one in pages that end between characters (case %#)',
    async (text) => {
      const house = demoHouse();
      const { taskId } = await wait(house, { text });
      await house.pump();
      const pages: Page[] = [];
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const outcome = await read(house, { task_id: taskId, offset });
        const page = 'result' in outcome ? (outcome.result as Page) : undefined;
        if (page) pages.push(page);
        offset = page?.next_offset;
      }
      expect(JSON.parse(pages.map((page) => page.text).join(''))).toEqual({ text });
      expect(pages.length).toBeGreaterThan(3);
      for (const page of pages) {
        expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(resultPageBytes);
      }
    },
  );

  it('reads on at the character an offset falls into, and gives nothing beyond the end', async () => {
    const house = demoHouse();
    const { taskId } = await wait(house, 'é😀');
    await house.pump();
    expect(await read(house, { task_id: taskId, offset: 5 })).toMatchObject({
      result: { text: '😀"', offset: 3, total_bytes: 8 },
    });
    expect(await read(house, { task_id: taskId, offset: 99 })).toMatchObject({
      result: { text: '', offset: 8 },
    });
  });

  it('gives the late result of a task that was cut short', async () => {
    const house = demoHouse();
    const task = await house.start({ tool: 'deploy_to_staging', arguments: { version: '1' } });
    await cancelTask(house.ports, keyOf(task));
    expect(await read(house, { task_id: task.taskId })).toMatchObject({
      status: 'failed',
      error: { message: 'The task has no result: it is cancelled.' },
    });
    const result = { status: 'live', url: 'u' };
    await respondToTask(house.ports, await house.task(task), { result }, 'callback');
    expect(await read(house, { task_id: task.taskId })).toMatchObject({
      result: { text: JSON.stringify(result) },
    });
  });

  it('knows the tasks of another owner as little as those that never were', async () => {
    const house = demoHouse();
    const { taskId } = await wait(house, 'secret');
    await house.pump();
    const foreign = await read(house, { task_id: taskId }, asOwner('bob'));
    expect(foreign).toEqual(await read(house, { task_id: house.ports.newTaskId() }));
    expect(foreign).toMatchObject({ error: { message: 'There is no such task.' } });
  });
});
