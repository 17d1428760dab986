import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { refuse } from '../../functions/core/result.ts';
import type { EndEvent } from '../../functions/core/task-event.ts';
import { keyOf } from '../../functions/core/task.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { tellEnd } from '../../functions/tasks/tell-end.ts';
import { waitForTask } from '../../functions/tasks/wait-for-task.ts';
import { alice, memoryHouse, type HousePorts, type MemoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

/** When each read of a task happened. */
function countingReads() {
  const reads: number[] = [];
  const house = memoryHouse({
    startMs: 0,
    wrapTasks: (tasks: TaskStore) => ({
      ...tasks,
      get: (key) => {
        reads.push(house.clock.nowMs());
        return tasks.get(key);
      },
    }),
  });
  return { house, reads };
}

/** Whether a promise has settled by now, and with what. */
function watch<T>(promise: Promise<T>) {
  const seen: { value?: T } = {};
  void promise.then((value) => (seen.value = value));
  return seen;
}

describe('waitForTask', () => {
  it('answers at once when the task has ended', async () => {
    const house = memoryHouse();
    const task = await house.start();
    await house.pump();
    const found = await waitForTask(house.ports, task, 25_000);
    expect(found).toMatchObject({ ok: true, value: { state: { status: 'completed' } } });
    expect(house.clock.sleeping).toBe(0);
  });

  it('gives the open task when the time is up, and not before', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const seen = watch(waitForTask(house.ports, task, 10_000));
    await house.clock.advance(9999);
    expect(seen.value).toBeUndefined();
    await house.clock.advance(1);
    expect(seen.value).toMatchObject({ ok: true, value: { state: { status: 'working' } } });
    expect(house.clock.sleeping).toBe(0);
  });

  it('reads once when it may not wait', async () => {
    const { house, reads } = countingReads();
    const task = await house.start();
    expect(await waitForTask(house.ports, task, 0)).toMatchObject({ ok: true });
    expect(reads).toHaveLength(1);
  });

  it('reads again in steps that grow from 50 ms to one second', async () => {
    const { house, reads } = countingReads();
    const task = await house.start();
    void waitForTask(house.ports, task, 4000);
    await house.clock.advance(5000);
    expect(reads).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550, 4000]);
  });

  it('ends early by a signal, without the passing of time', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const seen = watch(waitForTask(house.ports, task, 25_000));
    await house.clock.advance(20);
    expect(seen.value).toBeUndefined();
    await house.pump();
    await house.clock.advance(0);
    expect(seen.value).toMatchObject({ ok: true, value: { state: { status: 'completed' } } });
    expect(house.clock.sleeping).toBe(0);
  });

  it('sees an end that nobody in this process signalled', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const seen = watch(waitForTask(house.ports, task, 25_000));
    await house.clock.advance(3000);
    await house.ports.tasks.record(task, 'anyone', {
      kind: 'cancelled',
      atMs: house.clock.nowMs(),
    });
    await house.clock.advance(1000);
    expect(seen.value).toMatchObject({ ok: true, value: { state: { status: 'cancelled' } } });
  });

  it('does not find what is not there', async () => {
    const { ports } = memoryHouse();
    const key = { owner: alice, taskId: ports.newTaskId() };
    expect(await waitForTask(ports, key, 1000)).toEqual(refuse({ reason: 'task_not_found' }));
  });
});

describe('cancelTask', () => {
  it('cancels an open task, which then never runs', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const answer = await cancelTask(house.ports, keyOf(task));
    const state = { status: 'cancelled', endedAtMs: house.clock.nowMs() };
    expect(answer).toMatchObject({ ok: true, value: { state } });
    await house.pump();
    expect(await house.task(task)).toMatchObject({ state, claim: { fence: 0 } });
    expect(house.ports.work.size).toBe(0);
  });

  it('refuses a task that has ended, says how, and sends nothing', async () => {
    const house = memoryHouse();
    const task = await house.start();
    await house.pump();
    expect(await cancelTask(house.ports, keyOf(task))).toEqual(
      refuse({ reason: 'task_ended', status: 'completed' }),
    );
    expect(house.ports.work.size).toBe(0);
  });

  it('does not find the task of another owner', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const key = { ...keyOf(task), owner: asOwner('bob') };
    expect(await cancelTask(house.ports, key)).toEqual(refuse({ reason: 'task_not_found' }));
    expect((await house.task(task)).state.status).toBe('working');
  });

  it('sends first, so that a cancel whose write fails still happens', async () => {
    const house = memoryHouse({ tools: [testTool({ run: () => new Promise(() => {}) })] });
    const task = await house.start();
    await house.runFor(1000);
    const record = () => Promise.reject(new Error('the table is away'));
    const broken = { ...house.ports, tasks: { ...house.ports.tasks, record } };
    await expect(cancelTask(broken, keyOf(task))).rejects.toThrow('away');
    expect((await house.task(task)).state.status).toBe('working');
    await house.runFor(1000);
    expect((await house.task(task)).state.status).toBe('cancelled');
  });

  it('says yes when its own message was faster', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const { work } = house.ports;
    const send: typeof work.send = async (messages, delayMs) => {
      await work.send(messages, delayMs);
      await house.pump();
    };
    const answer = await cancelTask({ ...house.ports, work: { ...work, send } }, keyOf(task));
    expect(answer).toMatchObject({ ok: true, value: { state: { status: 'cancelled' } } });
  });

  it('says no when another cancel was faster', async () => {
    const house = memoryHouse();
    const task = await house.start();
    expect(await cancelTask(outrun(house, 'cancelled'), keyOf(task))).toEqual(
      refuse({ reason: 'task_ended', status: 'cancelled' }),
    );
  });

  it('says no when another end was faster', async () => {
    const house = memoryHouse();
    const task = await house.start();
    expect(await cancelTask(outrun(house, 'failed'), keyOf(task))).toEqual(
      refuse({ reason: 'task_ended', status: 'failed' }),
    );
  });
});

/** Ports on which the task ends just after a cancel was sent. */
function outrun({ ports }: MemoryHouse, kind: 'cancelled' | 'failed'): HousePorts {
  const error = { code: 'timed_out', message: 'late' } as const;
  const atMs = ports.clock.nowMs();
  const end: EndEvent = kind === 'failed' ? { kind, error, atMs } : { kind, atMs };
  const record: TaskStore['record'] = async (key, writer, event) => {
    await ports.tasks.record(key, 'anyone', end);
    return ports.tasks.record(key, writer, event);
  };
  return { ...ports, tasks: { ...ports.tasks, record } };
}

describe('tellEnd', () => {
  it('refuses to tell what has not ended', async () => {
    const house = memoryHouse();
    await expect(tellEnd(house.ports, await house.start())).rejects.toThrow('Only an ended task');
  });
});
