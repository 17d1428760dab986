import { describe, expect, it } from 'vitest';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import { keyOf } from '../../functions/core/task.ts';
import { workMessage } from '../../functions/core/work-message.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { respondToTask } from '../../functions/tasks/respond-to-task.ts';
import { memoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const silenceMs = 60_000;
const deadlineMs = 10 * silenceMs;

const tools = [testTool({ external: true, silenceMs, deadlineMs })];

async function silentHouse() {
  const house = memoryHouse({ tools });
  const started = await house.start();
  await house.pump();
  const heartbeat = async () =>
    respondToTask(house.ports, await house.task(started), { progress: {} }, 'callback');
  const sweepAndWork = async () => {
    const report = await sweep(house.ports);
    await house.pump();
    return report;
  };
  return { house, started, heartbeat, sweepAndWork };
}

const timedOut = (message: RegExp) => ({
  status: 'failed',
  error: { code: 'timed_out', message: expect.stringMatching(message) },
});

describe('a task of a tool that may not be silent', () => {
  it('is looked at when its silence would be over, and fails then', async () => {
    const { house, started, sweepAndWork } = await silentHouse();
    expect(started.dueMs).toBe(started.createdAtMs + silenceMs);
    await house.clock.advance(silenceMs - 1);
    expect(await sweepAndWork()).toMatchObject({ expired: 0 });
    await house.clock.advance(1);
    expect(await sweepAndWork()).toMatchObject({ expired: 1 });
    expect((await house.task(started)).state).toMatchObject(timedOut(/Nothing was heard/));
  });

  it('lives as long as it is heard of, and no heartbeat touches the index', async () => {
    const { house, started, heartbeat, sweepAndWork } = await silentHouse();
    for (let beat = 1; beat <= 4; beat += 1) {
      await house.clock.advance(silenceMs / 2);
      const { dueMs } = await house.task(started);
      await heartbeat();
      expect((await house.task(started)).dueMs).toBe(dueMs);
      expect(await sweepAndWork()).toMatchObject({ expired: 0 });
    }
    const now = await house.task(started);
    expect(now.state.status).toBe('working');
    expect(now.dueMs).toBe(house.clock.nowMs() + silenceMs);
    await house.clock.advance(silenceMs);
    expect(await sweepAndWork()).toMatchObject({ expired: 1 });
    expect((await house.task(started)).state).toMatchObject(timedOut(/Nothing was heard/));
  });

  it('fails at its deadline however often it is heard of', async () => {
    const { house, started, heartbeat, sweepAndWork } = await silentHouse();
    while (house.clock.nowMs() < started.deadlineMs) {
      await house.clock.advance(silenceMs / 2);
      await heartbeat();
      await sweepAndWork();
    }
    expect((await house.task(started)).state).toMatchObject(timedOut(/deadline/));
  });

  it('that is heard of after the sweep asked for its end is looked at again', async () => {
    const { house, started, heartbeat } = await silentHouse();
    await house.clock.advance(silenceMs);
    expect(await sweep(house.ports)).toMatchObject({ expired: 1 });
    await heartbeat();
    await house.pump();
    const now = await house.task(started);
    expect(now).toMatchObject({
      state: { status: 'working' },
      dueMs: house.clock.nowMs() + silenceMs,
    });
    house.ports.work.sendBody(asciiJson(workMessage({ kind: 'expire', ...keyOf(started) })));
    await house.pump();
    expect(await house.task(started)).toEqual(now);
  });

  it('is not silent before its work was handed off, however long it waits for a worker', async () => {
    const house = memoryHouse({ tools });
    const started = await house.start();
    await house.clock.advance(3 * silenceMs);
    expect(await sweep(house.ports)).toMatchObject({ expired: 0 });
    expect((await house.task(started)).dueMs).toBe(house.clock.nowMs() + silenceMs);
    await house.pump();
    await house.clock.advance(silenceMs);
    expect(await sweep(house.ports)).toMatchObject({ expired: 1 });
    await house.pump();
    expect((await house.task(started)).state).toMatchObject(timedOut(/Nothing was heard/));
  });

  it('that is heard of just before its end is recorded lives on', async () => {
    let heartbeat = async () => {};
    const house = memoryHouse({
      tools,
      wrapTasks: (tasks) => ({
        ...tasks,
        async record(key, writer, event) {
          if (event.kind === 'failed') await heartbeat();
          return tasks.record(key, writer, event);
        },
      }),
    });
    const started = await house.start();
    await house.pump();
    heartbeat = async () => {
      await respondToTask(house.ports, await house.task(started), { progress: {} }, 'callback');
    };
    await house.clock.advance(silenceMs);
    await sweep(house.ports);
    await house.pump();
    expect((await house.task(started)).state.status).toBe('working');
  });
});
