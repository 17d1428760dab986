import { describe, expect, it } from 'vitest';
import { workerDeath } from '../../functions/core/author-errors.ts';
import { claimDefaultMs } from '../../functions/core/limits.ts';
import type { Callback } from '../../functions/core/tool.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { memoryHouse, type HouseOptions } from '../house.ts';
import { ringingHouse, session } from '../ringing-house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

const external = (tool: TestTool = {}, options: HouseOptions = {}): HouseOptions => ({
  ...options,
  tools: [testTool({ external: true, run: async () => ({ id: 'deploy-1' }), ...tool })],
});

describe('a tool whose work goes on elsewhere', () => {
  it('is handed off with what its start gave, and its message is gone', async () => {
    const { house, ports, rings, handleAll } = ringingHouse(external());
    const task = await house.start({ caller: session });
    await handleAll();
    const open = await house.task(task);
    expect(open).toMatchObject({
      handedOff: true,
      sequence: 1,
      state: { status: 'working' },
      claim: { fence: 1, untilMs: 0, failures: 0 },
    });
    const initial = await ports.tasks.initial(open);
    expect(initial && (await readValue(ports, initial))).toEqual({ id: 'deploy-1' });
    expect(ports.work.size).toBe(0);
    expect(rings).toEqual([]);
    expect(house.facts).toContain('task handed off');
  });

  it('is started once although every message comes twice', async () => {
    let starts = 0;
    const run = async () => void (starts += 1);
    const house = memoryHouse(external({ run }, { deliverTwice: true }));
    const task = await house.start();
    await house.runFor(claimDefaultMs + 2000);
    expect(starts).toBe(1);
    expect(house.ports.work.size).toBe(0);
    expect(await house.task(task)).toMatchObject({ handedOff: true, initial: undefined });
  });

  it('ends from outside', async () => {
    const { house, ports, rings, handleAll } = ringingHouse(external());
    const task = await house.start({ caller: session });
    await handleAll();
    const open = await house.task(task);
    expect((await respondToTask(ports, open, { result: 'live' }, 'callback')).ok).toBe(true);
    await handleAll();
    expect((await house.task(task)).state).toMatchObject({ status: 'completed', by: 'callback' });
    expect(rings).toHaveLength(1);
    expect(ports.work.size).toBe(0);
  });

  it('may end before the hand-off is recorded', async () => {
    const house = memoryHouse({
      tools: [
        testTool({
          external: true,
          async run() {
            const now = await house.task(started);
            await respondToTask(house.ports, now, { result: 'fast' }, 'callback');
            return { id: 'deploy-1' };
          },
        }),
      ],
    });
    const started = await house.start();
    await house.pump();
    expect(await house.task(started)).toMatchObject({
      handedOff: false,
      late: undefined,
      state: { status: 'completed', by: 'callback' },
    });
    expect(house.ports.work.size).toBe(0);
  });

  it('is not started again when the answer to its hand-off was lost', async () => {
    let starts = 0;
    const lost = (tasks: TaskStore): TaskStore => ({
      ...tasks,
      async record(key, writer, event) {
        const recorded = await tasks.record(key, writer, event);
        return event.kind === 'handed_off' ? undefined : recorded;
      },
    });
    const run = async () => void (starts += 1);
    const house = memoryHouse(external({ run }, { wrapTasks: lost }));
    await house.start();
    await house.runFor(claimDefaultMs + 2000);
    expect(starts).toBe(1);
    expect(house.ports.work.size).toBe(0);
  });

  it('fails as outcome unknown when its worker died while it was started', async () => {
    const run = () => Promise.reject(workerDeath);
    const house = memoryHouse(external({ run, idempotent: false }));
    const task = await house.start();
    await house.runFor(claimDefaultMs + 2000);
    expect((await house.task(task)).state).toMatchObject({ error: { code: 'outcome_unknown' } });
  });

  it('fails when what its start gave is not JSON', async () => {
    const house = memoryHouse(external({ run: async () => ({ id: 1n }) }));
    const task = await house.start();
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: expect.stringContaining('not JSON') },
    });
  });

  it('is given a callback that opens for its own task until its deadline', async () => {
    const seen: (Callback | undefined)[] = [];
    const run: TestTool['run'] = async (_input, { callback }) => void seen.push(callback);
    const house = memoryHouse(external({ run }));
    const { taskId, deadlineMs } = await house.start();
    await house.pump();
    expect(seen).toEqual([
      {
        url: `https://boomerang.example/callbacks/${taskId}`,
        token: expect.stringMatching(/^[\w-]{40,}$/),
        expiresAtMs: deadlineMs,
        correlationId: taskId.replace('task_', ''),
      },
    ]);
  });

  it('cannot be started where nobody said how the house is reached', async () => {
    const run: TestTool['run'] = async (_input, { callback }) => callback?.url;
    const house = memoryHouse(external({ run, retries: 0 }, { settings: { publicUrl: '' } }));
    const task = await house.start();
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      error: { message: expect.stringContaining('set PUBLIC_URL') },
    });
  });
});
