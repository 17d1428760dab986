import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readCiAccess } from '../../functions/adapters/ci-access.ts';
import { createApp } from '../../functions/api/app.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { correlationIdOf } from '../../functions/core/ci/correlation.ts';
import { callbackFor } from '../../functions/tasks/callback.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { openIssuer, type Issuer } from '../api/issuer.ts';
import { demoHouse } from '../house.ts';
import { standardSecret } from './webhooks.ts';

const run = promisify(execFile);
const exampleText = (path: string) =>
  readFileSync(join(import.meta.dirname, '../../examples', path), 'utf8');

/** The lines of a YAML block that begins with `name: |`, without their indent. */
function blockAfter(text: string, begin: RegExp): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => begin.test(line));
  expect(from).toBeGreaterThan(-1);
  const indent = /^ */.exec(lines[from + 1] ?? '')?.[0].length ?? 0;
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith(' '.repeat(indent)));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.slice(indent))
    .join('\n');
}

const bash = (script: string, env: Record<string, string>) =>
  run('bash', ['-c', script], { env: { PATH: process.env.PATH ?? '', ...env } });

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

/** A house on a real port and in real time, with an issuer whose runs it trusts. */
async function openHouse() {
  const own = { url: '' };
  const house = demoHouse({ startMs: Date.now() });
  const settings = {
    ...house.ports.settings,
    get publicUrl() {
      return own.url;
    },
  };
  Object.assign(house.ports, { settings });
  const env = {
    CI_SECRET_GENERIC: standardSecret,
    CI_SECRET_JENKINS: standardSecret,
    CI_OIDC_GITHUB: 'repository_id:123',
    CI_OIDC_GITHUB_ISSUER: issuer.url,
    CI_OIDC_GITLAB: 'project_id:123',
    CI_OIDC_GITLAB_ISSUER: issuer.url,
  };
  const { fetch } = createApp(house.ports, loopbackAuth, { ci: readCiAccess(env, settings) });
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  const args = { version: 'v2.5.0' };
  const task = await house.start({ tool: 'deploy_to_staging', arguments: args });
  await house.pump();
  const callback = callbackFor(house.ports, task);
  const ended = async () => {
    await house.pump();
    const now = await house.task(task);
    if (now.state.status !== 'completed') return now.state;
    return readValue(house.ports, await house.ports.tasks.result(now));
  };
  return { house, task, callback, ended, url: own.url, id: correlationIdOf(task.taskId) };
}

const live = { status: 'live', url: 'https://staging.example' };

describe('examples/curl.sh', () => {
  const script = exampleText('curl.sh');
  const curl = (env: Record<string, string>, ...args: readonly string[]) =>
    run('bash', ['-c', script, 'curl.sh', ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });

  it('reports progress and the end by callback', async () => {
    const { house, task, callback, ended } = await openHouse();
    const env = { BOOMERANG_TOKEN: callback.token };
    const progress = { status: 'progress', progress: { percent: 40, message: 'Building' } };
    const first = await curl(env, 'callback', callback.url, JSON.stringify(progress));
    expect(JSON.parse(first.stdout)).toEqual({ outcome: 'applied' });
    expect((await house.task(task)).progress).toEqual(progress.progress);
    await curl(
      env,
      'callback',
      callback.url,
      JSON.stringify({ status: 'completed', result: live }),
    );
    expect(await ended()).toEqual(live);
  });

  it('signs a report with the secret of the house', async () => {
    const { url, id, ended } = await openHouse();
    const report = { status: 'completed', boomerang_id: id, url: live.url, duration: 7 };
    const env = { BOOMERANG_SECRET: standardSecret };
    const { stdout } = await curl(env, 'signed', url, JSON.stringify(report));
    expect(JSON.parse(stdout)).toEqual({ outcome: 'accepted' });
    expect(await ended()).toMatchObject({ status: 'success', url: live.url, duration: 7 });
  });

  it('carries progress and the reason of a failure, signed or not', async () => {
    const { house, task, url, id, ended } = await openHouse();
    const env = { BOOMERANG_SECRET: standardSecret };
    const progress = { percent: 40, message: 'Building' };
    const said = { status: 'progress', boomerang_id: id, progress };
    await curl(env, 'signed', `${url}/`, JSON.stringify(said));
    await house.pump();
    expect((await house.task(task)).progress).toEqual(progress);
    const failed = { status: 'failed', boomerang_id: id, error: 'Tests failed: 3 of 10' };
    await curl(env, 'signed', url, JSON.stringify(failed));
    expect(await ended()).toMatchObject({ error: { message: 'Tests failed: 3 of 10' } });
  });

  it('says how it is used when it is used otherwise', async () => {
    await expect(curl({})).rejects.toMatchObject({ code: 2, stderr: /^Use it so/ });
  });

  it('says so, and fails, when it is refused', async () => {
    const { callback, url } = await openHouse();
    const wrong = curl(
      { BOOMERANG_TOKEN: 'wrong' },
      'callback',
      callback.url,
      '{"status":"failed"}',
    );
    await expect(wrong).rejects.toMatchObject({
      stdout: expect.stringContaining('"unauthorized"'),
    });
    const env = { BOOMERANG_SECRET: 'whsec_AAAA' };
    await expect(curl(env, 'signed', url, '{"status":"failed"}')).rejects.toThrow(/Command failed/);
  });
});

describe('examples/github-action', () => {
  const action = exampleText('github-action/action.yml');
  const step = blockAfter(action, /^ +run: \|$/);
  const blank = { PERCENT: '', MESSAGE: '', RESULT: '', TOKEN: '' };

  it('reports with the token of a task', async () => {
    const { house, task, callback, ended } = await openHouse();
    const env = { ...blank, CALLBACK_URL: callback.url, TOKEN: callback.token };
    await bash(step, { ...env, STATUS: 'progress', PERCENT: '50', MESSAGE: 'It’s "half" done' });
    expect((await house.task(task)).progress).toEqual({ percent: 50, message: 'It’s "half" done' });
    await bash(step, { ...env, STATUS: 'completed', RESULT: JSON.stringify(live) });
    expect(await ended()).toEqual(live);
  });

  it('reports without a secret, by the token of the run itself', async () => {
    const { callback, url, ended } = await openHouse();
    const asked: string[] = [];
    // What a runner offers its steps: a token for whatever audience they name.
    const runner = createServer((request, response) => {
      const audience = new URL(request.url ?? '', 'http://runner').searchParams.get('audience');
      asked.push(`${request.headers.authorization} ${audience}`);
      const claims = {
        aud: audience,
        jti: String(asked.length),
        repository_id: '123',
        event_name: 'workflow_dispatch',
        run_id: '1',
      };
      void issuer.mint({ claims }).then((value) => response.end(JSON.stringify({ value })));
    }).listen(0, '127.0.0.1');
    await once(runner, 'listening');
    onTestFinished(() => void runner.close());
    const { port } = runner.address() as AddressInfo;
    await bash(step, {
      ...blank,
      CALLBACK_URL: callback.url,
      STATUS: 'failed',
      MESSAGE: 'tests are red',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'runner',
    });
    expect(asked).toEqual([`bearer runner ${url}/callbacks`]);
    expect(await ended()).toMatchObject({ status: 'failed', error: { message: 'tests are red' } });
  });

  it('tells nobody, and does not fail, where no task waits', async () => {
    const { stdout } = await bash(step, { ...blank, CALLBACK_URL: '', STATUS: 'progress' });
    expect(stdout).toContain('No task waits');
  });

  it('has a workflow that takes what is dispatched and echoes the id in its name', () => {
    const workflow = exampleText('github-action/deploy.yml');
    for (const input of ['version', 'environment', 'boomerang_id', 'callback_url']) {
      expect(workflow).toMatch(new RegExp(`^ {6}${input}: \\{ required: \\w+ \\}$`, 'm'));
    }
    expect(workflow).toMatch(/^run-name: .*\(\$\{\{ inputs\.boomerang_id \}\}\)$/m);
    const scripts = [...workflow.matchAll(/^ +run: (.+)$/gm)].map(([, script]) => script);
    expect(scripts).toHaveLength(1);
    for (const script of scripts) expect(script).not.toContain('${{');
    const given = [...workflow.matchAll(/^ {10}([a-z-]+):/gm)].map(([, name]) => name);
    for (const name of given) expect(action).toMatch(new RegExp(`^ {2}${name}:$`, 'm'));
  });
});

describe('examples/gitlab', () => {
  it.each([
    ['success', { status: 'success', url: 'https://gitlab.example/job/1' }],
    ['failed', { status: 'failed', error: { message: expect.stringContaining('failed') } }],
  ])('reports a job that ended with %s by its own token', async (status, expected) => {
    const { url, id, ended } = await openHouse();
    const text = exampleText('gitlab/.gitlab-ci.yml');
    expect(text).toContain('aud: $BOOMERANG_URL/callbacks');
    const claims = {
      aud: `${url}/callbacks`,
      project_id: '123',
      project_path: 'acme/app',
      pipeline_id: '9',
      jti: id,
    };
    const { stdout } = await bash(blockAfter(text, /^ {4}- \|$/), {
      BOOMERANG_URL: url,
      BOOMERANG_ID: id,
      BOOMERANG_TOKEN: await issuer.mint({ claims }),
      CI_JOB_STATUS: status,
      CI_JOB_NAME: 'say "deploy"',
      CI_JOB_URL: 'https://gitlab.example/job/1',
    });
    expect(JSON.parse(stdout)).toEqual({ outcome: 'accepted' });
    expect(await ended()).toMatchObject(expected);
  });
});

describe('examples/jenkins', () => {
  it.each([
    ['SUCCESS', { status: 'success', url: 'https://jenkins.example/job/deploy/18/', duration: 8 }],
    ['FAILURE', { status: 'failed' }],
  ])('signs a build that ended with %s', async (result, expected) => {
    const { url, id, ended } = await openHouse();
    const [, script = ''] =
      /sh '''#!\/bin\/bash\n(.*?)'''/s.exec(exampleText('jenkins/Jenkinsfile')) ?? [];
    // As Groovy hands it on: within ''' it reads backslashes itself.
    const read = script.replaceAll('\\\n', '').replaceAll('\\n', '\n');
    const { stdout } = await bash(read, {
      BOOMERANG_URL: url,
      BOOMERANG_SECRET: standardSecret,
      RESULT: result,
      DURATION_MS: '8000',
      JOB_NAME: 'app/"deploy"',
      BUILD_NUMBER: '18',
      BUILD_TAG: 'jenkins-déploiement-18',
      BUILD_URL: 'https://jenkins.example/job/deploy/18/',
      boomerang_id: id,
    });
    expect(JSON.parse(stdout)).toEqual({ outcome: 'accepted' });
    expect(await ended()).toMatchObject(expected);
  });
});
