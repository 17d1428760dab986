import { describe, expect, it } from 'vitest';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import { claimDefaultMs, receivesMax } from '../../functions/core/limits.ts';
import { keyOf, type Task } from '../../functions/core/task.ts';
import { messageVersion, readWorkMessage, workMessage } from '../../functions/core/work-message.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { work } from '../../functions/worker/work.ts';
import { memoryHouse, type MemoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

/** A hold on a message that is not in the queue. */
const delivery = (body: string) => ({ body, receives: 1, hide: async () => {} });
const endsMs = (house: MemoryHouse) => house.clock.nowMs() + 15 * 60_000;
const handle = (house: MemoryHouse, body: string) =>
  work(house.ports, delivery(body), endsMs(house));

const claimByAnother = async (house: MemoryHouse, task: Task) => {
  const args = { at: 'near', digest: task.argumentsDigest, bytes: 2, json: '{}' } as const;
  const nowMs = house.clock.nowMs();
  const start = { ...task, arguments: args };
  await house.ports.tasks.claim({ start, token: 'other', nowMs, untilMs: nowMs + claimDefaultMs });
};

const bodyOf = async (house: MemoryHouse) => {
  const [received] = await house.ports.work.receive(1, 0);
  await received?.remove();
  return received?.body ?? '';
};

describe('a message', () => {
  it('brings its task into being when the put was lost', async () => {
    const wrapTasks = (tasks: TaskStore) => ({ ...tasks, create: async () => true });
    const house = memoryHouse({ wrapTasks });
    const task = await house.start();
    expect(await house.ports.tasks.get(task)).toBeUndefined();
    await house.pump();
    expect((await house.task(task)).state.status).toBe('completed');
  });

  it('with other arguments is dropped unrun', async () => {
    const inputs: unknown[] = [];
    const run = async (input: unknown) => void inputs.push(input);
    const house = memoryHouse({ tools: [testTool({ run })] });
    const task = await house.start();
    const { arguments: _own, ...start } = readStart(await bodyOf(house));
    const foreign = { at: 'near', digest: 'other', bytes: 1, json: '1' } as const;
    const message = workMessage({ kind: 'run', start: { ...start, arguments: foreign } });
    expect(await handle(house, asciiJson(message))).toBe('done');
    expect(inputs).toEqual([]);
    expect(await house.task(task)).toEqual(task);
    expect(house.facts).toContain('message dropped: other arguments');
  });

  it('of a held task is sent again for when the claim ends', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const body = await bodyOf(house);
    await claimByAnother(house, task);
    await house.clock.advance(20_000);
    expect(await handle(house, body)).toBe('done');
    const notBeforeMs = house.clock.nowMs() + claimDefaultMs - 20_000;
    await house.clock.advance(claimDefaultMs - 21_000);
    expect(await house.ports.work.receive(1, 0)).toEqual([]);
    await house.clock.advance(1000);
    expect(readWorkMessage(await bodyOf(house))).toMatchObject({ message: { notBeforeMs } });
  });

  it('of a held task never counts its waiting as receives', async () => {
    const house = memoryHouse();
    const task = await house.start();
    for (let hop = 0; hop < receivesMax + 2; hop += 1) {
      await claimByAnother(house, task);
      await house.pump();
      await house.clock.advance(claimDefaultMs);
    }
    expect(house.ports.deadWork.size).toBe(0);
    expect(house.ports.work.size).toBe(1);
    expect(house.verdicts).toEqual(Array.from({ length: receivesMax + 2 }, () => 'done'));
  });

  it('whose claim was answered by silence runs under the claim it made', async () => {
    const wrapTasks = (tasks: TaskStore): TaskStore => ({
      ...tasks,
      async claim(request) {
        await tasks.claim(request);
        return undefined;
      },
    });
    const house = memoryHouse({ wrapTasks });
    const task = await house.start();
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      state: { status: 'completed' },
      claim: { fence: 1 },
    });
  });

  it('before its time is sent again', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const notBeforeMs = house.clock.nowMs() + 60_000;
    const body = asciiJson({ ...JSON.parse(await bodyOf(house)), notBeforeMs });
    expect(await handle(house, body)).toBe('done');
    expect((await house.task(task)).claim.fence).toBe(0);
    await house.runFor(60_000);
    expect((await house.task(task)).state.status).toBe('completed');
  });

  it.each([
    ['newer', JSON.stringify({ v: messageVersion + 1, kind: 'run' })],
    ['unreadable', 'not JSON'],
  ])('that is %s is kept', async (_why, body) => {
    const house = memoryHouse();
    expect(await handle(house, body)).toBe('keep');
    house.ports.work.sendBody(body);
    await house.pump();
    expect(house.ports.work.size).toBe(1);
    expect(house.facts).toContain('message left in the queue');
  });

  it.each(['claim', 'record', 'get'] as const)('is kept when %s throws', async (verb) => {
    let away = true;
    const fault = () => Promise.reject(new Error('the table is away'));
    const house = memoryHouse({
      wrapTasks: (tasks) =>
        new Proxy(tasks, {
          get: (store, name: keyof TaskStore) => (away && name === verb ? fault : store[name]),
        }),
    });
    const task = await house.start();
    if (verb === 'get')
      house.ports.work.sendBody(asciiJson(workMessage({ kind: 'cancel', ...keyOf(task) })));
    await house.pump();
    expect(house.thrown).toEqual([new Error('the table is away')]);
    expect(house.ports.work.size).toBe(1);
    away = false;
    await house.runFor(claimDefaultMs + 2000);
    expect((await house.task(task)).state.status).toBe('completed');
    expect(house.ports.work.size).toBe(0);
  });

  it('is hidden for as long as its claim lasts, again and again', async () => {
    const hidden: [number, number][] = [];
    const run = () => house.clock.sleep(300_000);
    const house = memoryHouse({ startMs: 0, tools: [testTool({ run })] });
    const task = await house.start();
    const body = await bodyOf(house);
    const hide = async (ms: number) => void hidden.push([house.clock.nowMs(), ms]);
    const working = work(house.ports, { body, receives: 1, hide }, endsMs(house));
    await house.clock.advance(150_000);
    expect((await house.task(task)).claim.untilMs).toBe(120_000 + claimDefaultMs);
    await house.clock.advance(150_000);
    expect(await working).toBe('done');
    const times = [0, 60_000, 120_000, 180_000, 240_000];
    expect(hidden.slice(0, 5)).toEqual(times.map((ms) => [ms, claimDefaultMs]));
  });
});

describe('a worker that lost its claim', () => {
  it('records nothing and keeps the message', async () => {
    const run = () => house.clock.sleep(1000);
    const house = memoryHouse({ tools: [testTool({ run })] });
    const task = await house.start();
    const working = house.pump();
    await house.clock.advance(500);
    await house.ports.tasks.renew(task, 1, 1);
    await claimByAnother(house, task);
    await house.clock.advance(1000);
    await working;
    expect(house.verdicts).toEqual(['keep']);
    expect(await house.task(task)).toMatchObject({
      sequence: 0,
      state: { status: 'working' },
      claim: { fence: 2, token: 'other' },
    });
  });
});

describe('a message that asks for an end', () => {
  it.each([
    ['cancel', { status: 'cancelled' }],
    ['poison', { status: 'failed', error: { code: 'poison' } }],
  ] as const)('%s ends an open task, and again changes nothing', async (kind, state) => {
    const house = memoryHouse();
    const task = await house.start();
    const body = asciiJson(workMessage({ kind, ...keyOf(task) }));
    expect(await handle(house, body)).toBe('done');
    const ended = await house.task(task);
    expect(ended).toMatchObject({ sequence: 1, state });
    expect(await handle(house, body)).toBe('done');
    expect(await house.task(task)).toEqual(ended);
  });

  it('expire ends a task only when its time is up', async () => {
    const house = memoryHouse({ tools: [testTool({ deadlineMs: 5000 })] });
    const task = await house.start();
    const body = asciiJson(workMessage({ kind: 'expire', ...keyOf(task) }));
    await house.clock.advance(4999);
    expect(await handle(house, body)).toBe('done');
    expect((await house.task(task)).state.status).toBe('working');
    await house.clock.advance(1);
    expect(await handle(house, body)).toBe('done');
    expect((await house.task(task)).state).toMatchObject({ error: { code: 'timed_out' } });
  });

  it('of a task that never was is done', async () => {
    const house = memoryHouse();
    const key = { owner: house.ports.newToken(), taskId: house.ports.newTaskId() };
    expect(await handle(house, JSON.stringify({ v: 1, kind: 'cancel', ...key }))).toBe('done');
  });
});

function readStart(body: string) {
  const read = readWorkMessage(body);
  if (read.kind !== 'ours' || read.message.kind !== 'run') throw new Error('This is no start.');
  return read.message.start;
}
