import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ciProviders } from '../../functions/core/ci/report.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { external } from '../../functions/tools/define-external.ts';
import { alice } from '../house.ts';
import { minuteMs, openCi } from './ci-door.ts';
import { commit, sign, githubRun } from './webhooks.ts';

describe.each([...ciProviders])('a webhook of %s', (provider) => {
  it('ends the task that planted its id with status, address, duration and commit', async () => {
    const { house, send, deploy, resultOf, outcomes } = openCi();
    const [task, other] = [await deploy(), await deploy('v2')];
    await send(provider, { planted: task.id });
    await house.pump();
    expect(await resultOf(task)).toMatchObject({
      status: 'success',
      url: expect.stringMatching(/^https:/),
      duration: 480,
      commit,
      provider,
    });
    expect((await house.task(task)).state).toMatchObject({ by: 'callback' });
    expect((await house.task(other)).state.status).toBe('working');
    expect(outcomes()).toEqual(['applied']);
    expect(house.ports.work.size).toBe(0);
  });

  it('fails it', async () => {
    const { house, send, deploy } = openCi();
    const task = await deploy();
    await send(provider, { planted: task.id, outcome: 'failure' });
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { code: 'tool_failed', message: expect.stringMatching(/ended with .*fail/i) },
    });
  });
});

/** Gives nothing but an image. */
const strict = {
  name: 'strict',
  description: 'Is strict.',
  input: z.object({}),
  output: z.object({ image: z.string() }),
  start: () => undefined,
};

describe('webhooks', () => {
  it('tell how far it is, and nothing after the end', async () => {
    const { house, send, deploy, outcomes } = openCi();
    const task = await deploy();
    const facts = { planted: task.id };
    await send('github', { ...facts, outcome: 'queued' });
    await house.pump();
    await send('github', { ...facts, outcome: 'running' });
    await house.pump();
    expect(await house.task(task)).toMatchObject({
      state: { status: 'working' },
      progress: { message: 'Deploy: in_progress' },
    });
    await send('github', facts);
    await house.pump();
    const ended = await house.task(task);
    await send('github', { ...facts, outcome: 'running', more: { updated_at: 'later' } });
    await send('github', { ...facts, outcome: 'failure' });
    await house.pump();
    expect(await house.task(task)).toEqual(ended);
    expect(outcomes()).toEqual(['applied', 'applied', 'applied', 'ignored']);
  });

  it('leave a row each in the audit of who owns the task, and pages of it', async () => {
    const { house, post, deploy, app } = openCi();
    const task = await deploy();
    const send = async (attempt: number) => {
      const body = JSON.stringify(githubRun({ planted: task.id, attempt, outcome: 'running' }));
      await post('/callbacks/ci/github', body, sign('github', body, 0));
      await house.clock.advance(1);
      await house.pump();
    };
    for (const attempt of [2, 1, 2]) await send(attempt);
    const rows: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await app.request(
        `/v1/audit?limit=1${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        {
          headers: { authorization: 'Bearer key-of-alice' },
        },
      );
      const json = (await page.json()) as { items: unknown[]; cursor?: string };
      rows.push(...json.items);
      ({ cursor } = json);
    } while (cursor);
    const row = { kind: 'ci', what: 'github', task_id: task.taskId };
    expect(rows).toMatchObject([
      { ...row, outcome: 'duplicate' },
      { ...row, outcome: 'ignored' },
      { ...row, outcome: 'applied' },
    ]);
  });

  it('of an earlier attempt, or step, are ignored once a later one was heard of', async () => {
    const { house, send, deploy, outcomes } = openCi();
    const task = await deploy();
    await send('github', { planted: task.id, attempt: 2, outcome: 'running' });
    await house.pump();
    await send('github', { planted: task.id, attempt: 1, outcome: 'failure' });
    await send('github', { planted: task.id, attempt: 2, outcome: 'queued' });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('working');
    await send('github', { planted: task.id, attempt: 2 });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('completed');
    expect(outcomes()).toEqual(['applied', 'ignored', 'ignored', 'applied']);
  });

  it('replayed a hundred times have one effect, whatever id they are sent under', async () => {
    const { house, post, deploy, outcomes } = openCi();
    const task = await deploy();
    const body = JSON.stringify(githubRun({ planted: task.id, outcome: 'running' }));
    for (let n = 0; n < 100; n += 1) {
      const headers = sign('github', body, 0, n % 2 ? 'the same' : `another ${n}`);
      expect((await post('/callbacks/ci/github', body, headers)).status).toBe(202);
    }
    await house.pump();
    expect(await house.task(task)).toMatchObject({ sequence: 2, recent: [{}] });
    expect(outcomes().filter((one) => one === 'duplicate')).toHaveLength(99);
  });

  it('replayed a hundred times end a task once, on a queue that doubles too', async () => {
    const { house, send, deploy, resultOf } = openCi({ deliverTwice: true });
    const task = await deploy();
    await Promise.all(Array.from({ length: 100 }, () => send('generic', { planted: task.id })));
    await house.pump();
    const { sequence } = await house.task(task);
    expect(sequence).toBe(2);
    expect(await resultOf(task)).toMatchObject({ status: 'success' });
    expect(house.thrown).toEqual([]);
  });

  it('whose result the tool does not give fail the task with what is missing, and leave a trace', async () => {
    const { house, send, said } = openCi({ tools: [external(strict)] });
    const task = await house.start({ tool: 'strict' });
    await house.pump();
    await send('github', { planted: task.taskId.replace('task_', '') });
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/run \S+ of acme\/app succeeded, but .*image/) },
    });
    expect(said.join()).toContain('result_schema_mismatch');
    const { items } = await house.ports.audit.list(alice, { limit: 10 });
    expect(items).toMatchObject([
      { kind: 'refused', what: 'ci.github', code: 'result_schema_mismatch', taskId: task.taskId },
    ]);
  });

  it('under an id that was used before are heard, if they say something else', async () => {
    const { house, post, deploy } = openCi();
    const [one, other] = [await deploy('v1'), await deploy('v2')];
    for (const task of [one, other, one]) {
      const body = JSON.stringify({ status: 'completed', boomerang_id: task.id, url: 'https://x' });
      const signed = sign('generic', body, house.clock.nowMs(), 'build-7');
      expect((await post('/callbacks/ci/generic', body, signed)).status).toBe(202);
    }
    await house.pump();
    for (const task of [one, other]) {
      expect((await house.task(task)).state.status).toBe('completed');
    }
  });

  it('that a check brings and the tool does not give fail the task as well', async () => {
    const check = () => ({ result: { tag: 'v1' } });
    const { house } = openCi({ tools: [external({ ...strict, check })] });
    const task = await house.start({ tool: 'strict' });
    await house.pump();
    await house.clock.advance(60_000);
    await sweep(house.ports);
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/^The work of strict succeeded, but .*image/) },
    });
  });

  it('after a cancel are kept as its late result', async () => {
    const { house, send, deploy } = openCi();
    const task = await deploy();
    await house.ports.tasks.record(task, 'anyone', {
      kind: 'cancelled',
      atMs: house.clock.nowMs(),
    });
    await send('github', { planted: task.id });
    await house.pump();
    expect(await house.task(task)).toMatchObject({ state: { status: 'cancelled' }, late: {} });
  });

  it('lose nothing when the worker dies between any two steps', async () => {
    for (let dies = 0; dies < 8; dies += 1) {
      const { house, send, deploy, resultOf } = openCi();
      const task = await deploy();
      let steps = 0;
      const dying =
        (name: string, act: (...given: never[]) => Promise<unknown>) =>
        async (...given: never[]) => {
          steps += 1;
          if (steps === dies + 1) throw new Error(`died before ${name}`);
          return act(...given);
        };
      const { ci, tasks, work } = house.ports;
      for (const port of [ci, tasks, work] as unknown as Record<string, never>[]) {
        for (const name of ['take', 'find', 'advance', 'get', 'record'] as const) {
          if (port[name]) Object.assign(port, { [name]: dying(name, port[name]) });
        }
      }
      await send('github', { planted: task.id });
      await house.pump();
      await house.clock.advance(10 * minuteMs);
      await house.pump();
      expect(await resultOf(task)).toMatchObject({ status: 'success' });
    }
  });
});
