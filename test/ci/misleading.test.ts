import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { readReport } from '../../functions/core/ci/read-report.ts';
import { openCi } from './ci-door.ts';
import { githubRun, payloads, sign, type RunFacts } from './webhooks.ts';

/** Reports that could be taken for what they are not. */

describe('the name of a run', () => {
  const runNamed = (title: string) => ({
    ...githubRun({ planted: '' }),
    workflow_run: { ...githubRun({ planted: '' }).workflow_run, display_title: title },
  });

  const tellOf = async (door: ReturnType<typeof openCi>, title: string) => {
    const body = JSON.stringify(runNamed(title));
    const headers = sign('github', body, door.house.clock.nowMs());
    expect((await door.post('/callbacks/ci/github', body, headers)).status).toBe(202);
    await door.house.pump();
  };

  it('ends with the id that counts, whatever version a model has asked for', async () => {
    const door = openCi();
    const other = await door.deploy('v1');
    const own = await door.deploy(other.id);
    await tellOf(door, `Deploy ${other.id} to staging (${own.id})`);
    expect((await door.house.task(other)).state.status).toBe('working');
    expect((await door.house.task(own)).state.status).toBe('completed');
  });

  it('may be long', async () => {
    const door = openCi();
    const task = await door.deploy();
    await tellOf(door, `Deploy ${'registry.example/app/'.repeat(20)} to staging (${task.id})`);
    expect((await door.house.task(task)).state.status).toBe('completed');
  });
});

describe('a build of Buildkite', () => {
  const finished = (build: object) => {
    const body = payloads.buildkite({ planted: 'x'.repeat(32) }) as { readonly build: object };
    return readReport('buildkite', { ...body, build: { ...body.build, ...build } });
  };

  it('that waits to be unblocked has not ended, though it says so', () => {
    expect(finished({ state: 'passed', blocked: true })?.phase).toBe('running');
    expect(finished({ state: 'canceled', blocked: true })?.phase).toBe('failed');
    expect(finished({ state: 'passed', blocked: false })?.phase).toBe('succeeded');
  });
});

describe('a status of Bitbucket', () => {
  it('whose key was used by an earlier build tells how far this one is', async () => {
    const { house, deploy, post, outcomes } = openCi();
    const send = async (planted: string, number: number, state: string) => {
      const facts: RunFacts = { planted };
      const { commit_status: status, ...rest } = payloads.bitbucket(facts) as {
        readonly commit_status: object;
      };
      const url = `https://bitbucket.org/acme/app/addon/pipelines/home#!/results/${number}`;
      const commit_status = { ...status, key: 'deploy', name: planted, url, state };
      const body = JSON.stringify({ ...rest, commit_status });
      await post('/callbacks/ci/bitbucket', body, sign('bitbucket', body, house.clock.nowMs()));
      await house.pump();
    };
    const [first, second] = [await deploy(), await deploy()];
    await send(first.id, 1, 'SUCCESSFUL');
    await send(second.id, 2, 'INPROGRESS');
    expect(outcomes()).toEqual(['applied', 'applied']);
  });
});

describe('a report that is nested too deep', () => {
  it('is refused by name', async () => {
    const { house, post } = openCi();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = `{"status":"completed","boomerang_id":"${'x'.repeat(32)}","result":{"a":${deep}}}`;
    const answer = await post(
      '/callbacks/ci/generic',
      body,
      sign('generic', body, house.clock.nowMs()),
    );
    expect(answer).toMatchObject({
      status: 400,
      json: { errors: [{ message: expect.stringContaining('nested deeper') }] },
    });
  });
});

describe('a stranger at the callback of a task', () => {
  const knock = async (door: ReturnType<typeof openCi>, taskId: string) => {
    for (let n = 0; n < 30; n += 1) {
      const headers = { authorization: 'Bearer junk', 'content-type': 'application/json' };
      expect((await door.post(`/callbacks/${taskId}`, '{}', headers)).status).toBe(401);
      await door.house.clock.advance(100);
    }
  };

  it('is noted once a minute for whoever owns it, however often it knocks', async () => {
    const door = openCi();
    const { owner, taskId } = await door.deploy();
    await knock(door, taskId);
    const { items } = await door.house.ports.audit.list(owner, { limit: 100 });
    const refused = items.filter(({ kind }) => kind === 'refused');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(3);
    expect(refused[0]).toMatchObject({ what: 'callback', code: 'unauthorized', taskId });
  });

  it('is noted for whoever runs the house where nobody else is known', async () => {
    const operator = asOwner('operator');
    const door = openCi();
    Object.assign(door.house.ports.settings, { operator });
    const { taskId } = await door.house.start({ tool: 'demo_wait', arguments: { seconds: 9 } });
    await knock(door, taskId);
    const { items } = await door.house.ports.audit.list(operator, { limit: 100 });
    expect(items.length).toBeGreaterThan(0);
    expect(items.length).toBeLessThan(3);
    expect(items[0]).toMatchObject({ kind: 'refused', what: 'callback', code: 'unauthorized' });
  });
});
