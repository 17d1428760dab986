import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ciProviders } from '../../functions/core/ci/report.ts';
import { asOwner, asTaskId, type Owner } from '../../functions/core/ids.ts';
import { plantId, registerRun } from '../../functions/tasks/ci-binding.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { external } from '../../functions/tools/define-external.ts';
import { alice } from '../house.ts';
import { openCi } from './ci-door.ts';
import { commit, sign, githubRun } from './webhooks.ts';

const minuteMs = 60_000;

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

  it('find the task that planted an id first, whoever says to have it', async () => {
    const { house } = openCi();
    const taskId = asTaskId('task_a');
    await plantId(house.ports, { owner: alice, taskId });
    await plantId(house.ports, { owner: asOwner('bob'), taskId });
    expect(await house.ports.ci.find('id#a')).toEqual({ owner: alice, taskId });
  });
});

describe('a callback', () => {
  it.each([
    ['wrong', 401, 'unauthorized'],
    ['expired', 410, 'token_expired'],
    ['reused', 409, 'task_ended'],
    ['late', 409, 'task_ended'],
    ['oversized', 413, 'body_too_large'],
    ['schema-breaking', 422, 'result_schema_mismatch'],
    ['shapeless', 400, 'invalid_request'],
  ])('that is %s is answered %i %s, and stands in the audit', async (kind, status, code) => {
    const { house, post, deploy, said } = openCi({ settings: { showCallback: true } });
    const task = await deploy();
    const grant = { owner: alice, taskId: task.taskId, verbs: ['progress', 'completed', 'failed'] };
    const endsAtMs = house.clock.nowMs() + (kind === 'expired' ? -1 : minuteMs);
    const token = house.ports.sealer.seal('callback', grant, endsAtMs);
    const report = (body: object, given = token) =>
      post(`/callbacks/${task.taskId}`, JSON.stringify(body), {
        authorization: `Bearer ${given}`,
        'content-type': 'application/json',
      });
    const live = { status: 'live', url: 'https://staging.example' };
    if (kind === 'reused') await report({ status: 'completed', result: live });
    if (kind === 'late') {
      await house.ports.tasks.record(task, 'anyone', {
        kind: 'cancelled',
        atMs: house.clock.nowMs(),
      });
    }
    const bodies: Record<string, object> = {
      oversized: { status: 'completed', result: 'x'.repeat(1_100_000) },
      'schema-breaking': { status: 'completed', result: { status: 'live' } },
      shapeless: { state: 'completed' },
      reused: { status: 'failed', error: 'after all' },
    };
    const body = bodies[kind] ?? { status: 'completed', result: live };
    const answer = await report(body, kind === 'wrong' ? `${token}x` : token);
    expect(answer).toMatchObject({ status, json: { code } });
    const { items } = await house.ports.audit.list(alice, { limit: 10 });
    const refused = items.filter((row) => row.kind === 'refused');
    expect(refused).toMatchObject([{ what: 'callback', code, taskId: task.taskId }]);
    expect(said.join('\n')).not.toContain(token.slice(0, 20));
  });

  it('takes its token from the header only', async () => {
    const { house, post, deploy } = openCi();
    const task = await deploy();
    const grant = { owner: alice, taskId: task.taskId, verbs: ['completed'] };
    const token = house.ports.sealer.seal('callback', grant, house.clock.nowMs() + minuteMs);
    const body = JSON.stringify({ status: 'completed', result: { status: 'x', url: 'https://x' } });
    const json = { 'content-type': 'application/json' };
    for (const path of [
      `/callbacks/${task.taskId}?token=${token}`,
      `/callbacks/${task.taskId}?access_token=${token}`,
    ]) {
      expect((await post(path, body, json)).status).toBe(401);
    }
    expect((await post(`/callbacks/${task.taskId}/${token}`, body, json)).status).toBe(404);
  });
});
