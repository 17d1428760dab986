import { describe, expect, it, onTestFinished } from 'vitest';
import { readGitHub } from '../../functions/adapters/github.ts';
import { external } from '../../functions/tools/define-external.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import type { HouseOptions } from '../house.ts';
import * as z from 'zod';
import { openCi } from './ci-door.ts';
import { fakeGitHub } from './fake-github.ts';
import { githubRun, sign } from './webhooks.ts';

const minuteMs = 60_000;

async function openGitHub(options: HouseOptions = {}) {
  const fake = await fakeGitHub();
  onTestFinished(fake.close);
  return { fake, ...openCi({ ...options, github: fake.github }) };
}

/** Real sockets answer in real time, so what pumps waits for them. */
async function untilQuiet(house: ReturnType<typeof openCi>['house']) {
  await house.pump();
}

describe('deploy_to_staging on GitHub', () => {
  it('dispatches its workflow with the id in it, and ends by the webhook of the run', async () => {
    const { fake, house, deploy, send, resultOf } = await openGitHub();
    const task = await deploy();
    expect(fake.asked).toEqual([
      {
        method: 'POST',
        path: '/repos/acme/app/actions/workflows/deploy.yml/dispatches',
        token: 'Bearer ghp_a-token',
        body: {
          ref: 'main',
          inputs: {
            version: 'v2.5.0',
            environment: 'staging',
            boomerang_id: task.id,
            callback_url: `https://boomerang.example/callbacks/${task.taskId}`,
          },
        },
      },
    ]);
    expect((await house.task(task)).initial?.value).toMatchObject({
      json: expect.stringContaining('"repository":"acme/app","workflow":"deploy.yml"'),
    });
    await send('github', { planted: task.id });
    await house.pump();
    expect(await resultOf(task)).toMatchObject({
      status: 'success',
      url: 'https://github.com/acme/app/actions/runs/7001',
      duration: 480,
    });
  });

  it('ends by no run of another repository, nor of another system', async () => {
    const { house, deploy, send, post, outcomes } = await openGitHub();
    const task = await deploy();
    const run = githubRun({ planted: task.id }) as { workflow_run: object };
    const repository = { full_name: 'acme/other' };
    const workflow_run = { ...run.workflow_run, head_repository: repository };
    const body = JSON.stringify({ ...run, workflow_run, repository });
    await post('/callbacks/ci/github', body, sign('github', body, 0));
    await send('generic', { planted: task.id });
    await house.pump();
    expect((await house.task(task)).state.status).toBe('working');
    expect(outcomes()).toEqual(['ignored', 'ignored']);
    const { items } = await house.ports.audit.list(task.owner, { limit: 10 });
    expect(items).toMatchObject([{ outcome: 'ignored' }, { outcome: 'ignored' }]);
  });

  it('tries again what GitHub could not take, and gives up what it refuses', async () => {
    const { fake, house, deploy } = await openGitHub();
    fake.failing.push(503);
    const task = await deploy();
    expect((await house.task(task)).handedOff).toBe(false);
    await house.clock.advance(10_000);
    await untilQuiet(house);
    expect((await house.task(task)).handedOff).toBe(true);
    // Whether GitHub has taken the first is looked for a while.
    const looks = ['GET', 'GET', 'GET'];
    expect(fake.asked.map(({ method }) => method)).toEqual(['POST', ...looks, 'POST']);
    fake.failing.push(422);
    const refused = await deploy('v3');
    expect((await house.task(refused)).state).toMatchObject({
      status: 'failed',
      error: {
        message:
          'GitHub answered 422 to POST /repos/acme/app/actions/workflows/deploy.yml/dispatches.',
      },
    });
  });

  it('does not dispatch again what an attempt before it has dispatched', async () => {
    const { fake, house, deploy } = await openGitHub();
    fake.failing.push(502);
    const task = await deploy();
    // The answer was lost, not the dispatch.
    fake.show({ planted: task.id, outcome: 'running' });
    await house.clock.advance(10_000);
    await untilQuiet(house);
    expect(fake.asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect((await house.task(task)).handedOff).toBe(true);
  });

  it('is asked about when its webhook never comes, ever more rarely, and ends all the same', async () => {
    const { fake, house, deploy, resultOf } = await openGitHub();
    const task = await deploy();
    const beganAtMs = house.clock.nowMs();
    const looks: number[] = [];
    const pass = async (minutes: number) => {
      for (let n = 0; n < minutes; n += 1) {
        await house.clock.advance(minuteMs);
        const before = fake.asked.length;
        await sweep(house.ports);
        await untilQuiet(house);
        if (fake.asked.length > before) looks.push((house.clock.nowMs() - beganAtMs) / minuteMs);
      }
    };
    fake.show({ planted: task.id, outcome: 'running' });
    await pass(40);
    expect(looks).toEqual([1, 2, 4, 8, 16, 32]);
    expect(await house.task(task)).toMatchObject({
      state: { status: 'working' },
      progress: { message: 'Deploy: in_progress' },
    });
    fake.failing.push(500);
    await pass(60);
    expect(looks).toEqual([1, 2, 4, 8, 16, 32, 64]);
    fake.show({ planted: task.id });
    await pass(60);
    expect(await resultOf(task)).toMatchObject({ status: 'success', duration: 480 });
    expect(looks.at(-1)).toBe(124);
    expect(house.thrown).toEqual([]);
    expect(house.ports.work.size).toBe(0);
  });

  it('is asked about no more once it has ended', async () => {
    const { fake, house, deploy, send } = await openGitHub();
    const task = await deploy();
    await send('github', { planted: task.id });
    await house.pump();
    await house.clock.advance(10 * minuteMs);
    await sweep(house.ports);
    await untilQuiet(house);
    expect(fake.asked).toHaveLength(1);
  });

  it('asks nobody without settings', async () => {
    const { house, deploy } = openCi();
    const task = await deploy();
    expect(task.checkMs).toBeUndefined();
    expect((await house.task(task)).initial?.value).toMatchObject({
      json: expect.stringMatching(
        /^\{"deployment_id":"deploy-[0-9a-f]{8}","status":"started","version":"v2.5.0","environment":"staging"\}$/,
      ),
    });
  });
});

describe('the settings of GitHub', () => {
  const right = { GITHUB_REPOSITORY: 'acme/app', GITHUB_WORKFLOW: 'deploy.yml', GITHUB_TOKEN: 'x' };
  it('are taken together or not at all', () => {
    expect(readGitHub(right)).toMatchObject({ repository: 'acme/app', workflow: 'deploy.yml' });
    for (const name of Object.keys(right))
      expect(readGitHub({ ...right, [name]: '' })).toBeUndefined();
  });

  it.each([
    { GITHUB_REPOSITORY: 'app' },
    { GITHUB_REPOSITORY: 'a/b/../c' },
    { GITHUB_API_URL: 'nowhere' },
  ])('are refused when they make no sense: %o', (wrong) => {
    expect(() => readGitHub({ ...right, ...wrong })).toThrow(/GITHUB_\w+ must/);
  });
});

describe('a tool with a check', () => {
  it('is told input and initial value, and may end, fail or progress its task', async () => {
    const seen: unknown[] = [];
    const answers: unknown[] = [{ progress: { percent: 40 } }, undefined, { error: 'gone' }];
    const asked = external({
      name: 'asked',
      description: 'Is asked.',
      input: z.object({ n: z.int().default(7) }),
      checkAfterS: 5,
      start: () => ({ id: 'x1' }),
      check(input, { correlationId, idempotencyKey }, initial) {
        seen.push({ input, initial, same: idempotencyKey === `task_${correlationId}` });
        return answers.shift() as undefined;
      },
    });
    const { house } = openCi({ tools: [asked] });
    const task = await house.start({ tool: 'asked' });
    expect(task).toMatchObject({ checkMs: 5000, dueMs: task.createdAtMs + 5000 });
    await house.pump();
    for (let n = 0; n < 30; n += 1) {
      await house.clock.advance(1000);
      await sweep(house.ports);
      await house.pump();
    }
    expect(seen).toEqual(
      Array.from({ length: 3 }, () => ({ input: { n: 7 }, initial: { id: 'x1' }, same: true })),
    );
    expect(await house.task(task)).toMatchObject({
      progress: { percent: 40 },
      state: { status: 'failed', error: { message: 'gone' } },
    });
  });
});
