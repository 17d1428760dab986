import { describe, expect, it } from 'vitest';
import {
  claimDefaultMs,
  receivesMax,
  redrivesMax,
  sweepHeldMsMax,
  sweepOverlapMs,
  sweepPage,
} from '../../functions/core/limits.ts';
import { keyOf } from '../../functions/core/task.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { memoryHouse, type MemoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const deadlineMs = 60_000;
const tools = [testTool({ deadlineMs })];
const nothing = {
  expired: 0,
  rung: 0,
  checked: 0,
  untold: 0,
  overdue: 0,
  redriven: 0,
  poison: 0,
};

/** A house whose work messages are lost, so that only the sweep can end its tasks. */
async function houseWithLostMessage(house: MemoryHouse = memoryHouse({ tools })) {
  const task = await house.start();
  await dropWork(house);
  return { house, task };
}

async function dropWork({ ports }: MemoryHouse) {
  for (const received of await ports.work.receive(10, 0)) await received.remove();
}

describe('the sweep', () => {
  it('asks for the end of an open task past its deadline, and the worker ends it', async () => {
    const { house, task } = await houseWithLostMessage();
    await house.clock.advance(deadlineMs);
    expect(await sweep(house.ports)).toEqual({ ...nothing, expired: 1 });
    expect((await house.task(task)).state.status).toBe('working');
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
    });
  });

  it('leaves a task alone whose time has not come', async () => {
    const { house } = await houseWithLostMessage();
    await house.clock.advance(deadlineMs - 1);
    expect(await sweep(house.ports)).toEqual(nothing);
    expect(house.ports.work.size).toBe(0);
  });

  it('does not touch what has ended', async () => {
    const house = memoryHouse({ tools });
    const task = await house.start();
    await house.pump();
    const ended = await house.task(task);
    await house.clock.advance(deadlineMs);
    expect(await sweep(house.ports)).toEqual(nothing);
    expect(await house.task(task)).toEqual(ended);
    expect(house.ports.work.size).toBe(0);
  });

  it('looks back over all the time it was away', async () => {
    const { house, task } = await houseWithLostMessage();
    expect(await sweep(house.ports)).toEqual(nothing);
    await house.clock.advance(3 * 24 * 60 * 60_000);
    expect(await sweep(house.ports)).toEqual({ ...nothing, expired: 1 });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('failed');
  });

  it('looks no further back than its last look and the overlap', async () => {
    const { house } = await houseWithLostMessage();
    await house.clock.advance(deadlineMs);
    expect((await sweep(house.ports)).expired).toBe(1);
    await house.clock.advance(sweepOverlapMs);
    expect((await sweep(house.ports)).expired).toBe(1);
    await house.clock.advance(1);
    expect((await sweep(house.ports)).expired).toBe(1);
    expect((await sweep(house.ports)).expired).toBe(0);
  });

  it('repeats the look of a sweep that died before its sends', async () => {
    const { house } = await houseWithLostMessage();
    await house.clock.advance(deadlineMs);
    const send = () => Promise.reject(new Error('the queue is away'));
    await expect(sweep({ ...house.ports, work: { send } })).rejects.toThrow('away');
    await house.clock.advance(60 * 60_000);
    expect((await sweep(house.ports)).expired).toBe(1);
  });

  it('leaves out a task that cannot be read, and looks at it again for an hour', async () => {
    let unreadable = '';
    const wrapTasks = (inner: TaskStore): TaskStore => ({
      ...inner,
      get: (key) =>
        key.taskId === unreadable ? Promise.reject(new Error('unreadable')) : inner.get(key),
    });
    const house = memoryHouse({ tools, wrapTasks });
    await sweep(house.ports);
    unreadable = (await house.start()).taskId;
    await house.start();
    await house.clock.advance(deadlineMs);
    expect((await sweep(house.ports)).expired).toBe(1);
    expect(house.facts).toContain('due task not looked at');
    const markMs = await house.ports.sweepMark.read();
    expect(markMs).toBeLessThan(house.clock.nowMs());
    await house.clock.advance(sweepHeldMsMax);
    await sweep(house.ports);
    expect(await house.ports.sweepMark.read()).toBe(house.clock.nowMs());
  });

  it('does what it can when one of its looks fails', async () => {
    const { house } = await houseWithLostMessage();
    await house.clock.advance(deadlineMs);
    const takeOverdue = () => Promise.reject(new Error('the table is away'));
    const webhooks = { ...house.ports.webhooks, takeOverdue };
    await expect(sweep({ ...house.ports, webhooks })).rejects.toThrow('away');
    expect(house.ports.work.size).toBe(1);
  });

  it('reads every page of what is due', async () => {
    const house = memoryHouse({ tools });
    const count = 2 * sweepPage + 1;
    for (let n = 0; n < count; n += 1) await house.start();
    await house.clock.advance(deadlineMs);
    expect((await sweep(house.ports)).expired).toBe(count);
  });
});

describe('dead letters', () => {
  /** A house where no message of a run can be handled. */
  async function houseWithDeadLetter() {
    const claim = () => Promise.reject(new Error('this item breaks the worker'));
    const wrapTasks = (inner: TaskStore): TaskStore => ({ ...inner, claim });
    const house = memoryHouse({ tools: [testTool()], wrapTasks });
    const task = await house.start();
    await dieOnce(house);
    return { house, task };
  }

  /** Time enough for a message to be received as often as it may. */
  const dieOnce = (house: MemoryHouse) => house.runFor(receivesMax * claimDefaultMs + 2000);

  it('are sent back three times, then their task fails as poison and the letter stays', async () => {
    const { house, task } = await houseWithDeadLetter();
    for (let redrive = 1; redrive <= redrivesMax; redrive += 1) {
      expect(house.ports.deadWork.size).toBe(1);
      expect(await sweep(house.ports)).toEqual({ ...nothing, redriven: 1 });
      expect(house.ports.deadWork.size).toBe(0);
      await dieOnce(house);
    }
    expect(await sweep(house.ports)).toEqual({ ...nothing, poison: 1 });
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'poison' },
    });
    expect(house.ports.work.size).toBe(0);
    expect(house.ports.deadWork.size).toBe(1);
  });

  it('are handled when what broke them is mended', async () => {
    const { house, task } = await houseWithDeadLetter();
    await sweep(house.ports);
    const mended = memoryHouse({ startMs: house.clock.nowMs() });
    for (const { body } of await house.ports.work.receive(10, 0)) mended.ports.work.sendBody(body);
    await mended.pump();
    expect((await mended.task(keyOf(task))).state.status).toBe('completed');
  });

  it('stay in both queues rather than in none when the sweep dies between them', async () => {
    const { house } = await houseWithDeadLetter();
    const send = () => Promise.reject(new Error('the queue is away'));
    await expect(sweep({ ...house.ports, work: { send } })).rejects.toThrow('away');
    expect(house.ports.deadWork.size).toBe(1);
  });

  it.each(['not JSON', '{"v":99}'])('that say %s stay where they are', async (body) => {
    const house = memoryHouse();
    house.ports.deadWork.sendBody(body);
    expect(await sweep(house.ports)).toEqual({ ...nothing, poison: 1 });
    expect(house.ports.deadWork.size).toBe(1);
    expect(house.ports.work.size).toBe(0);
  });
});
