import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCiAccess } from '../../functions/adapters/ci-access.ts';
import { runUrl } from '../../functions/core/ci/run-url.ts';
import { inSeconds, openIssuer, publicUrl, type Issuer, type Minting } from '../api/issuer.ts';
import { plantId } from '../../functions/tasks/ci-binding.ts';
import { openCi } from './ci-door.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

const audience = `${publicUrl}/callbacks`;
const live = { status: 'live', url: 'https://staging.example' };
let tokens = 0;

/** What each system puts into the token of a run, by its documentation. */
const claimsOf = {
  github: {
    repository: 'acme/app',
    repository_id: '123',
    repository_owner_id: '9',
    event_name: 'workflow_dispatch',
    run_id: '7001',
    run_attempt: '1',
    sha: 'abc',
  },
  gitlab: { project_path: 'acme/app', project_id: '123', pipeline_id: '31', sha: 'abc' },
  circleci: { 'oidc.circleci.com/project-id': '123', jti: undefined },
  buildkite: { pipeline_slug: 'app', pipeline_id: '123', build_number: 27, build_commit: 'abc' },
};
type Keyless = keyof typeof claimsOf;
const keyless = Object.keys(claimsOf) as Keyless[];
const pinOf: Record<Keyless, string> = {
  github: 'repository_id:77,123',
  gitlab: 'project_id:123',
  circleci: 'oidc.circleci.com/project-id:123',
  buildkite: 'pipeline_id:123',
};

const envOf = (provider: Keyless, pin = pinOf[provider]) => ({
  [`CI_OIDC_${provider.toUpperCase()}`]: pin,
  [`CI_OIDC_${provider.toUpperCase()}_ISSUER`]: issuer.url,
});

function openKeyless(provider: Keyless, pin?: string) {
  const access = readCiAccess(envOf(provider, pin), { publicUrl });
  const door = openCi({}, access);
  const mint = ({ claims, ...more }: Minting = {}) =>
    issuer.mint({
      ...more,
      claims: { aud: audience, jti: `token ${++tokens}`, ...claimsOf[provider], ...claims },
    });
  const report = (taskId: string, token: string, body: object) =>
    door.post(`/callbacks/${taskId}`, JSON.stringify(body), {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
  const tell = (token: string, body: object, to: string = provider) =>
    door.post(`/callbacks/ci/${to}`, JSON.stringify(body), { authorization: `Bearer ${token}` });
  return { ...door, mint, report, tell };
}

describe.each(keyless)('a run on %s, by its own token', (provider) => {
  it('reports progress and the end to the callback of a task', async () => {
    const { house, deploy, mint, report, resultOf } = openKeyless(provider);
    const { taskId, ...task } = await deploy();
    const progress = { status: 'progress', progress: { percent: 40, message: 'Building' } };
    expect((await report(taskId, await mint(), progress)).status).toBe(202);
    const ended = await report(taskId, await mint(), { status: 'completed', result: live });
    expect(ended).toMatchObject({ status: 202, json: { outcome: 'applied' } });
    await house.pump();
    expect(await resultOf({ ...task, taskId })).toEqual(live);
  });

  it('reports to the door for its system, and speaks for its own run only', async () => {
    const { house, deploy, mint, tell, resultOf } = openKeyless(provider);
    const task = await deploy();
    const body = {
      status: 'completed',
      boomerang_id: task.id,
      repository: 'other/app',
      run_id: '666',
      url: live.url,
    };
    expect(await tell(await mint(), body)).toMatchObject({
      status: 202,
      json: { outcome: 'accepted' },
    });
    await house.pump();
    const result = (await resultOf(task)) as Record<string, unknown>;
    expect(result).toMatchObject({ status: 'success', url: live.url, provider });
    expect([result.repository, result.run_id]).not.toContain('other/app');
    expect([result.repository, result.run_id]).not.toContain('666');
  });

  it('speaks for one task, whatever other ids it says', async () => {
    const { house, deploy, mint, tell } = openKeyless(provider);
    const token = await mint();
    const tasks = [await deploy('v1'), await deploy('v2')];
    for (const { id } of tasks) {
      const boomerang_id = 'A'.repeat(32);
      await tell(token, { status: 'completed', boomerang_id, correlation_id: id, url: live.url });
    }
    await house.pump();
    const states = await Promise.all(tasks.map(async (task) => (await house.task(task)).state));
    expect(states.map(({ status }) => status)).toEqual(['working', 'working']);
  });

  it('is refused at the door of another system, and where it is not pinned', async () => {
    const { deploy, mint, report, tell, house } = openKeyless(provider);
    const { taskId, id } = await deploy();
    const other = provider === 'github' ? 'gitlab' : 'github';
    const body = { status: 'completed', boomerang_id: id, url: live.url };
    expect((await tell(await mint(), body, other)).status).toBe(401);
    expect((await tell(await mint(), body, 'generic')).status).toBe(401);
    const claim = pinOf[provider].split(':')[0] ?? '';
    for (const value of ['124', '12', '1234', '', undefined]) {
      const token = await mint({ claims: { [claim]: value } });
      expect((await tell(token, body)).status).toBe(401);
      expect((await report(taskId, token, { status: 'failed' })).status).toBe(401);
    }
    expect(house.ports.work.size).toBe(0);
    expect((await house.task({ owner: 'alice' as never, taskId })).state.status).toBe('working');
  });
});

describe('a token of a run', () => {
  it.each<[string, Minting]>([
    ['signed by a stranger', { stranger: true }],
    ['for another address', { claims: { aud: 'https://elsewhere.example' } }],
    ['for the MCP door', { claims: { aud: `${publicUrl}/mcp` } }],
    ['that has expired', { claims: { exp: inSeconds(-60) } }],
    ['that never expires', { claims: { exp: undefined } }],
    ['not yet valid', { claims: { nbf: inSeconds(600) } }],
    ['of another issuer', { claims: { iss: 'https://token.actions.githubusercontent.com' } }],
    ['of pull_request_target', { claims: { event_name: 'pull_request_target' } }],
    ['of workflow_run', { claims: { event_name: 'workflow_run' } }],
  ])('%s is refused', async (_title, minting) => {
    const { house, deploy, mint, report, tell } = openKeyless('github');
    const { taskId, id } = await deploy();
    const token = await mint(minting);
    expect((await report(taskId, token, { status: 'failed' })).status).toBe(401);
    expect((await tell(token, { status: 'failed', boomerang_id: id })).status).toBe(401);
    expect(house.ports.work.size).toBe(0);
  });

  it('with another algorithm, or cut anywhere, is refused', async () => {
    const { deploy, mint, report } = openKeyless('github');
    const { taskId } = await deploy();
    const token = await mint();
    const [, claims = '', signature = ''] = token.split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const symmetric = Buffer.from('{"alg":"HS256","kid":"one"}').toString('base64url');
    for (const forged of [
      `${header}.${claims}.`,
      `${header}.${claims}.x`,
      `${symmetric}.${claims}.${signature}`,
      token.slice(0, -3),
      `${token.slice(0, 40)}A${token.slice(41)}`,
    ]) {
      expect((await report(taskId, forged, { status: 'failed' })).status).toBe(401);
    }
  });

  it.each(keyless)(
    'of %s speaks for one task, as often as there is something to say',
    async (provider) => {
      const { deploy, mint, report, tell, house, outcomes } = openKeyless(provider);
      const [task, other] = [await deploy('v1'), await deploy('v2')];
      const token = await mint();
      const progress = { status: 'progress', progress: { percent: 10 } };
      expect((await report(task.taskId, token, progress)).status).toBe(202);
      const wrong = { status: 'completed', result: { nothing: 'that fits' } };
      expect((await report(task.taskId, token, wrong)).status).toBe(422);
      expect((await report(other.taskId, token, progress)).status).toBe(401);
      expect((await tell(token, { status: 'failed', boomerang_id: other.id })).status).toBe(401);
      const running = { status: 'running', boomerang_id: task.id };
      for (const said of [running, running, { ...running, status: 'failed' }]) {
        expect((await tell(token, said)).status).toBe(202);
      }
      await house.pump();
      expect(outcomes().toSorted()).toEqual(['applied', 'applied', 'duplicate']);
      expect((await house.task(task)).state.status).toBe('failed');
      expect((await house.task(other)).state.status).toBe('working');
    },
  );

  it('lets nobody near a task that gave its id to no one, or is not there', async () => {
    const { house, mint, report } = openKeyless('github');
    const slow = await house.start({ tool: 'demo_wait', arguments: { seconds: 9999 } });
    for (const id of [slow.taskId, `task_${'x'.repeat(32)}`]) {
      expect((await report(id, await mint(), { status: 'failed' })).status).toBe(401);
    }
  });

  it.each([
    ['Acme/App', 202],
    ['acme/other', 401],
  ])('speaks for a task whose tool named %s with %i', async (repository, status) => {
    const { house, mint, report } = openKeyless('github');
    const task = await house.start({ tool: 'deploy_to_staging', arguments: { version: '1' } });
    await plantId(house.ports, task, { provider: 'github', repository });
    await house.pump();
    const progress = { status: 'progress', progress: { percent: 10 } };
    expect((await report(task.taskId, await mint(), progress)).status).toBe(status);
  });

  it('may be for the address of the house itself, too', async () => {
    const { deploy, mint, report } = openKeyless('github');
    const { taskId } = await deploy();
    const token = await mint({ claims: { aud: publicUrl } });
    expect((await report(taskId, token, { status: 'progress' })).status).toBe(202);
  });

  it('asks the issuer for its keys once', async () => {
    const { deploy, mint, report } = openKeyless('github');
    const { taskId } = await deploy();
    const before = issuer.asked.length;
    for (let n = 0; n < 5; n += 1) {
      await report(taskId, await mint(), { status: 'progress', progress: { percent: n } });
    }
    expect(issuer.asked.length - before).toBe(2);
  });

  it('counts for nothing where nothing is set', async () => {
    const access = readCiAccess({}, { publicUrl });
    const door = openCi({}, { verifyWorkload: access.verifyWorkload });
    const { taskId } = await door.deploy();
    const token = await issuer.mint({ claims: { aud: audience, ...claimsOf.github } });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect((await door.post(`/callbacks/${taskId}`, '{"status":"failed"}', headers)).status).toBe(
      401,
    );
  });
});

describe('the address of a run', () => {
  const github = { repository: 'acme/app', run_id: '7001' };
  it.each([
    [
      'github',
      { ...github, iss: 'https://token.actions.githubusercontent.com' },
      'https://github.com/acme/app/actions/runs/7001',
    ],
    [
      'github',
      { ...github, iss: 'https://git.acme.example/_services/token' },
      'https://git.acme.example/acme/app/actions/runs/7001',
    ],
    [
      'gitlab',
      { iss: 'https://gitlab.com', project_path: 'acme/app', pipeline_id: 31 },
      'https://gitlab.com/acme/app/-/pipelines/31',
    ],
    [
      'buildkite',
      { organization_slug: 'acme', pipeline_slug: 'app', build_number: 27 },
      'https://buildkite.com/acme/app/builds/27',
    ],
    ['buildkite', { pipeline_slug: 'app', build_number: 27 }, undefined],
    ['circleci', { 'oidc.circleci.com/project-id': '123' }, undefined],
    ['github', { repository: 'acme/app' }, undefined],
  ] as const)('on %s is told by its token: %o', (provider, claims, url) => {
    expect(runUrl(provider, claims)).toBe(url);
  });

  it('is what a task gets whose run says no other', async () => {
    const { house, deploy, mint, tell, resultOf } = openKeyless('github');
    const task = await deploy();
    const done = { status: 'completed', boomerang_id: task.id };
    expect((await tell(await mint(), done)).status).toBe(202);
    await house.pump();
    expect(await resultOf(task)).toMatchObject({
      status: 'success',
      url: `${issuer.url}/acme/app/actions/runs/7001`,
    });
  });
});
