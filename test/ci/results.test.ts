import { describe, expect, it } from 'vitest';
import { openCi } from './ci-door.ts';
import { githubRun, sign } from './webhooks.ts';

type Door = ReturnType<typeof openCi>;

async function generic({ house, post }: Door, body: object) {
  const text = JSON.stringify(body);
  const answer = await post(
    '/callbacks/ci/generic',
    text,
    sign('generic', text, house.clock.nowMs()),
  );
  await house.pump();
  return answer;
}

describe('what a task gets from a CI system', () => {
  it('is the result our own form gives, as given', async () => {
    const door = openCi();
    const { id, ...task } = await door.deploy();
    const result = { status: 'live', url: 'https://staging.example', image: 'app:1' };
    await generic(door, { status: 'completed', boomerang_id: id, result });
    expect(await door.resultOf(task)).toEqual(result);
  });

  it('fails it when it does not fit', async () => {
    const door = openCi();
    const { id, ...task } = await door.deploy();
    await generic(door, { status: 'completed', boomerang_id: id, run_id: '5', result: { a: 1 } });
    expect((await door.house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/run 5 .*url/) },
    });
  });

  it('is refused when no message could carry it', async () => {
    const door = openCi();
    const { id } = await door.deploy();
    const result = { text: 'x'.repeat(70_000) };
    const answer = await generic(door, { status: 'completed', boomerang_id: id, result });
    expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
  });

  it('has the address of the run where GitHub names none', async () => {
    const { house, send, deploy, resultOf } = openCi();
    const task = await deploy();
    await send('github', { planted: task.id, runId: '77', more: { html_url: null } });
    await house.pump();
    expect(await resultOf(task)).toMatchObject({
      url: 'https://github.com/acme/app/actions/runs/77',
    });
  });

  it('comes in a form too, as GitHub sends it', async () => {
    const { house, post, deploy, resultOf } = openCi();
    const { id, ...task } = await deploy();
    const payload = JSON.stringify(githubRun({ planted: id }));
    const body = new URLSearchParams({ payload }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...sign('github', body, 0), ...form };
    expect((await post('/callbacks/ci/github', body, headers)).status).toBe(202);
    await house.pump();
    expect(await resultOf(task)).toMatchObject({ status: 'success' });
    const empty = { ...sign('github', 'a=b', 0), ...form };
    expect((await post('/callbacks/ci/github', 'a=b', empty)).status).toBe(400);
  });

  it('counts as a duplicate when it is what it has', async () => {
    const { house, post, deploy, outcomes } = openCi();
    const task = await deploy();
    const body = JSON.stringify(githubRun({ planted: task.id }));
    await post('/callbacks/ci/github', body, sign('github', body, 0));
    await house.pump();
    const again = `${body} `;
    await post('/callbacks/ci/github', again, sign('github', again, 0));
    await house.pump();
    expect(outcomes()).toEqual(['applied', 'duplicate']);
  });
});
