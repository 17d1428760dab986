import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asOwner, asTaskId, type Owner } from '../../functions/core/ids.ts';
import { plantId, registerRun } from '../../functions/tasks/ci-binding.ts';
import { external } from '../../functions/tools/define-external.ts';
import { alice } from '../house.ts';
import { minuteMs, openCi } from './ci-door.ts';

describe('webhooks', () => {
  it('that come before their task wait for it, and are applied once', async () => {
    const { house, send, resultOf, outcomes } = openCi();
    const task = await house.start({ tool: 'deploy_to_staging', arguments: { version: '1' } });
    const [waiting] = await house.ports.work.receive(1, 0);
    await send('github', { planted: task.taskId.replace('task_', '') });
    await house.runFor(5000);
    expect(outcomes()).toContain('parked');
    expect((await house.task(task)).state.status).toBe('working');
    await waiting?.hide(0);
    await house.runFor(30_000);
    expect(await resultOf(task)).toMatchObject({ status: 'success' });
    expect(outcomes().at(-1)).toBe('applied');
    expect(house.ports.work.size).toBe(0);
  });

  it('that match nothing are looked at ever more rarely, for a day, and die of it never', async () => {
    const { house, send, outcomes, said } = openCi();
    await send('github', { planted: 'z'.repeat(32) });
    await house.pump();
    for (let minutes = 0; minutes < 25 * 60; minutes += 1) {
      await house.clock.advance(minuteMs);
      await house.pump();
    }
    const parked = outcomes().filter((one) => one === 'parked').length;
    expect(parked).toBeGreaterThan(50);
    expect(parked).toBeLessThan(150);
    expect(outcomes().at(-1)).toBe('dropped');
    expect(said.find((line) => line.includes('dropped'))).toContain('"warn"');
    expect([house.ports.work.size, house.ports.deadWork.size]).toEqual([0, 0]);
  });

  it('resolve only who planted the id or registered the very run', async () => {
    const { house, send, deploy, outcomes } = openCi();
    const task = await deploy();
    const slow = await house.start({ tool: 'demo_wait', arguments: { seconds: 9999 } });
    void house.pump();
    await house.clock.advance(0);
    await registerRun(house.ports, task, {
      provider: 'github',
      repository: 'acme/app',
      runId: '7001',
    });
    // A task that handed its id to nobody is no one's to end.
    await send('github', { planted: slow.taskId.replace('task_', ''), runId: '1' });
    await send('github', { runId: '7002' });
    await send('github', { runId: '7001', more: { id: 7001.5 } });
    await send('generic', { runId: '7001' });
    await house.runFor(2000);
    expect((await house.task(slow)).state.status).toBe('working');
    expect((await house.task(task)).state.status).toBe('working');
    expect(new Set(outcomes())).toEqual(new Set(['parked']));
    await send('github', { runId: '7001' });
    await house.runFor(2000);
    expect((await house.task(task)).state.status).toBe('completed');
  });

  it('of a run registered by its tool find it; another task cannot have the run too', async () => {
    const run = { provider: 'gitlab', repository: 'Acme/App', runId: '31' } as const;
    const pipeline = external({
      name: 'pipeline',
      description: 'Runs a pipeline.',
      input: z.object({}),
      start: (_input, task) => task.register(run),
    });
    const { house, send, resultOf } = openCi({ tools: [pipeline] });
    const first = await house.start({ tool: 'pipeline' });
    await house.pump();
    const other = await house.start({ tool: 'pipeline', arguments: {} });
    await house.pump();
    expect((await house.task(other)).state).toMatchObject({
      status: 'failed',
      error: { message: 'Run 31 of Acme/App belongs to another task.' },
    });
    await send('gitlab', {});
    await house.pump();
    expect(await resultOf(first)).toMatchObject({ status: 'success', run_id: '31' });
  });

  it('that belong to nobody yet stand in the audit of whoever runs the house, once', async () => {
    const { house, send } = openCi({ settings: { operator: asOwner('boss') } });
    const rows = async (owner: Owner) => (await house.ports.audit.list(owner, { limit: 10 })).items;
    const pass = async (quarters: number) => {
      for (let n = 0; n < quarters; n += 1) {
        await house.clock.advance(15 * 60_000);
        await house.pump();
      }
    };
    await send('github', { planted: 'nobody-planted-this-yet' });
    await house.pump();
    await pass(2);
    const parked = { kind: 'ci', outcome: 'parked', provider: 'github' };
    expect(await rows(asOwner('boss'))).toEqual([expect.objectContaining(parked)]);
    await pass(100);
    expect(await rows(asOwner('boss'))).toMatchObject([{ outcome: 'dropped' }, parked]);
    expect(await rows(alice)).toEqual([]);
  });

  it('find the task that planted an id first, whoever says to have it', async () => {
    const { house } = openCi();
    const taskId = asTaskId('task_a');
    await plantId(house.ports, { owner: alice, taskId });
    await plantId(house.ports, { owner: asOwner('bob'), taskId });
    expect(await house.ports.ci.find('id#a')).toEqual({ owner: alice, taskId });
  });
});
