import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { nearBytesMax } from '../../functions/core/limits.ts';
import { refuse } from '../../functions/core/result.ts';
import { keyOf } from '../../functions/core/task.ts';
import { readWorkMessage } from '../../functions/core/work-message.ts';
import { findTask } from '../../functions/tasks/find-task.ts';
import { keepValue, readValue } from '../../functions/tasks/keep-value.ts';
import { startTask, type StartRequest } from '../../functions/tasks/start-task.ts';
import { alice, memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const request: StartRequest = {
  owner: alice,
  tool: 'slow',
  arguments: { n: 1 },
  caller: { kind: 'client' },
  identity: 'key-1',
};
const far = { text: 'é'.repeat(nearBytesMax) };

describe('startTask', () => {
  it('stores the task and sends its message before it answers', async () => {
    const { ports, clock } = memoryHouse();
    const started = await startTask(ports, { ...request, deadlineMs: 7000 });
    expect(started).toMatchObject({
      ok: true,
      value: {
        owner: 'alice',
        tool: 'slow',
        createdAtMs: clock.nowMs(),
        deadlineMs: clock.nowMs() + 7000,
        state: { status: 'working' },
      },
    });
    expect(started.ok && (await findTask(ports, started.value))).toEqual(started);
    const [received] = await ports.work.receive(10, 0);
    expect(readWorkMessage(received?.body ?? '')).toMatchObject({
      kind: 'ours',
      message: { kind: 'run', start: { arguments: { at: 'near', json: '{"n":1}' } } },
    });
  });

  it('takes the deadline of the tool when the caller names none', async () => {
    const { ports, clock } = memoryHouse({ tools: [testTool({ deadlineMs: 1234 })] });
    const started = await startTask(ports, request);
    expect(started.ok && started.value.deadlineMs).toBe(clock.nowMs() + 1234);
  });

  it('finds the same task when it starts twice, whatever the order of the keys', async () => {
    const { ports, clock } = memoryHouse();
    const first = await startTask(ports, { ...request, arguments: { a: 1, b: 2 } });
    await clock.advance(5000);
    const second = await startTask(ports, { ...request, arguments: { b: 2, a: 1 } });
    expect(first.ok).toBe(true);
    expect(second).toEqual(first);
    expect((await ports.tasks.list(alice, { limit: 10 })).items).toHaveLength(1);
  });

  it('makes one task of 100 parallel starts with one identity, and runs it once', async () => {
    let runs = 0;
    const run = async () => (runs += 1);
    const house = memoryHouse({ tools: [testTool({ run })] });
    const starts = Array.from({ length: 100 }, () => startTask(house.ports, request));
    const ids = (await Promise.all(starts)).map((started) => started.ok && started.value.taskId);
    expect(new Set(ids).size).toBe(1);
    expect((await house.ports.tasks.list(alice, { limit: 100 })).items).toHaveLength(1);
    await house.runFor(200_000);
    expect(runs).toBe(1);
    expect(house.ports.work.size).toBe(0);
  });

  it('makes a task per start when there is no identity', async () => {
    const { ports } = memoryHouse();
    const [a, b] = await Promise.all([
      startTask(ports, { ...request, identity: undefined }),
      startTask(ports, { ...request, identity: undefined }),
    ]);
    expect(a?.ok && b?.ok && a.value.taskId !== b.value.taskId).toBe(true);
  });

  it('keeps the identities of two owners apart', async () => {
    const { ports } = memoryHouse();
    const mine = await startTask(ports, request);
    const theirs = await startTask(ports, { ...request, owner: asOwner('bob') });
    expect(mine.ok && theirs.ok && mine.value.taskId !== theirs.value.taskId).toBe(true);
  });

  it('refuses the same identity with other arguments, and never runs those', async () => {
    const inputs: unknown[] = [];
    const run = async (input: unknown) => void inputs.push(input);
    const house = memoryHouse({ tools: [testTool({ run })] });
    await startTask(house.ports, request);
    expect(await startTask(house.ports, { ...request, arguments: { n: 2 } })).toEqual(
      refuse({ reason: 'idempotency_conflict' }),
    );
    await house.pump();
    expect(inputs).toEqual([{ n: 1 }]);
    expect(house.ports.work.size).toBe(0);
  });

  it('refuses a tool nobody has, and says which there are', async () => {
    const { ports } = memoryHouse();
    expect(await startTask(ports, { ...request, tool: 'dance' })).toEqual(
      refuse({ reason: 'tool_not_found', tool: 'dance', known: ['slow'] }),
    );
    expect(ports.work.size).toBe(0);
  });

  it('refuses arguments the tool refuses, and leaves nothing behind', async () => {
    const flaws = [{ path: 'n', message: 'too small' }];
    const refusal = refuse({ reason: 'invalid_arguments', tool: 'slow', flaws });
    const { ports } = memoryHouse({ tools: [testTool({ checkInput: () => refusal })] });
    expect(await startTask(ports, request)).toEqual(refusal);
    expect(ports.work.size).toBe(0);
    expect((await ports.tasks.list(alice, { limit: 1 })).items).toEqual([]);
  });

  it('throws when the message could not be sent, so that no handle is given', async () => {
    const { ports } = memoryHouse();
    const send = () => Promise.reject(new Error('the queue is away'));
    await expect(startTask({ ...ports, work: { send } }, request)).rejects.toThrow('away');
  });
});

describe('a far value', () => {
  it('of arguments reaches the tool through the object store, not the message', async () => {
    const inputs: unknown[] = [];
    const run = async (input: unknown) => void inputs.push(input);
    const house = memoryHouse({ tools: [testTool({ run })] });
    await house.start({ arguments: far });
    const [received] = await house.ports.work.receive(1, 0);
    expect(received?.body.length).toBeLessThan(1000);
    expect(received?.body).toContain('"at":"far"');
    await received?.hide(0);
    await house.pump();
    expect(inputs).toEqual([far]);
  });

  it('of a result comes back whole', async () => {
    const house = memoryHouse();
    const task = await house.start({ arguments: far });
    await house.pump();
    const stored = await house.ports.tasks.result(await house.task(task));
    expect(stored).toMatchObject({ at: 'far', bytes: 2 * nearBytesMax + '{"text":""}'.length });
    expect(await readValue(house.ports, stored)).toEqual(far);
  });

  it.each([
    ['near', nearBytesMax],
    ['far', nearBytesMax + 1],
  ])('border: %s at %i bytes', async (at, bytes) => {
    const { ports } = memoryHouse();
    const stored = await keepValue(ports, alice, 'x'.repeat(bytes - 2));
    expect(stored).toMatchObject({ at, bytes });
  });

  it('is refused when the object is not what was put', async () => {
    const { ports } = memoryHouse();
    const stored = await keepValue(ports, alice, far);
    if (stored.at !== 'far') throw new Error('The value is near.');
    await ports.objects.put(stored.key, '{"text":"something else"}');
    await expect(readValue(ports, stored)).rejects.toThrow('not what was put');
  });

  it('that is undefined is kept as null', async () => {
    const { ports } = memoryHouse();
    expect(await readValue(ports, await keepValue(ports, alice, undefined))).toBeNull();
  });
});

describe('findTask', () => {
  it('answers a foreign id exactly as an unknown one', async () => {
    const house = memoryHouse();
    const { ports } = house;
    const task = await house.start();
    const foreign = await findTask(ports, { ...keyOf(task), owner: asOwner('bob') });
    const unknown = await findTask(ports, { owner: alice, taskId: ports.newTaskId() });
    expect(foreign).toEqual(refuse({ reason: 'task_not_found' }));
    expect(unknown).toEqual(foreign);
  });

  it('finds nothing once the task has expired', async () => {
    const house = memoryHouse();
    const task = await house.start();
    await house.pump();
    expect((await findTask(house.ports, task)).ok).toBe(true);
    await house.clock.advance(30 * 24 * 60 * 60_000);
    expect(await findTask(house.ports, task)).toEqual(refuse({ reason: 'task_not_found' }));
  });
});
