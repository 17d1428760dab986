import { describe, expect, it } from 'vitest';
import { plantedIn } from '../../functions/core/ci/correlation.ts';
import { readReport } from '../../functions/core/ci/read-report.ts';
import { ciProviders } from '../../functions/core/ci/report.ts';
import { commit, githubRun, payloads } from './webhooks.ts';

const planted = 'aB3-_'.repeat(6) + 'xy';
const repository = { full_name: 'acme/app' };

describe.each([...ciProviders])('a webhook of %s', (provider) => {
  it('tells the end of a run with its address, time and commit', () => {
    const report = readReport(provider, payloads[provider]({ planted }));
    expect(report).toMatchObject({
      provider,
      phase: 'succeeded',
      planted: [planted],
      commit,
      durationS: 480,
    });
    expect(report?.url).toMatch(/^https:/);
    expect(report?.runIds.length).toBeGreaterThan(0);
  });

  it('tells that it failed', () => {
    const report = readReport(provider, payloads[provider]({ planted, outcome: 'failure' }));
    expect(report).toMatchObject({ phase: 'failed' });
  });

  it.skipIf(provider === 'circleci')('tells that it runs', () => {
    const report = readReport(provider, payloads[provider]({ planted, outcome: 'running' }));
    expect(report).toMatchObject({ phase: 'running', planted: [planted] });
  });

  it('is nothing when it has the shape of nothing', () => {
    for (const body of [null, 7, 'text', [], {}, { build: 7 }, { workflow_run: null }]) {
      expect(readReport(provider, body)).toBeUndefined();
    }
  });
});

describe('GitHub', () => {
  it('tells of check runs', () => {
    const check_run = {
      id: 4,
      name: 'deploy',
      external_id: planted,
      status: 'completed',
      conclusion: 'success',
      html_url: 'https://github.com/acme/app/runs/4',
      head_sha: commit,
      started_at: '2026-01-01T00:00:00Z',
      completed_at: '2026-01-01T00:01:00Z',
      app: { slug: 'our-app' },
    };
    const report = readReport('github', { action: 'completed', check_run, repository });
    expect(report).toMatchObject({
      phase: 'succeeded',
      planted: [planted],
      runIds: ['check_run/4'],
      durationS: 60,
    });
    const named = { ...check_run, external_id: '', name: `deploy ${planted}` };
    expect(readReport('github', { check_run: named, repository })?.planted).toEqual([planted]);
    // The name Actions gives comes from a workflow file, which the pull request of a fork may change.
    const ofActions = { ...named, app: { slug: 'github-actions' } };
    expect(readReport('github', { check_run: ofActions, repository })?.planted).toEqual([]);
    const titled = { ...ofActions, output: { title: planted, summary: planted } };
    expect(readReport('github', { check_run: titled, repository })?.planted).toEqual([]);
  });

  it.each([[{ boomerang_id: planted }], [JSON.stringify({ boomerang_id: planted })]])(
    'tells of deployments with the payload %j',
    (payload) => {
      const deployment = {
        id: 11,
        sha: commit,
        environment: 'staging',
        payload,
        created_at: '2026-01-01T00:00:00Z',
      };
      const deployment_status = {
        id: 1,
        state: 'success',
        environment_url: 'https://staging.example',
        log_url: 'https://github.com/acme/app/actions',
        created_at: '2026-01-01T00:02:00Z',
      };
      const body = { action: 'created', deployment, deployment_status, repository };
      expect(readReport('github', body)).toMatchObject({
        phase: 'succeeded',
        planted: [planted],
        runIds: ['deployment/11'],
        url: 'https://staging.example',
        durationS: 120,
        commit,
      });
      const inactive = { ...body, deployment_status: { ...deployment_status, state: 'inactive' } };
      expect(readReport('github', inactive)).toBeUndefined();
    },
  );

  it.each([
    { event: 'pull_request' },
    { event: 'pull_request_target' },
    { event: 'workflow_run' },
    { event: 'issue_comment' },
    { head_repository: { full_name: 'stranger/app' } },
  ])('lets no stranger choose the title of a run: %o', (more) => {
    expect(readReport('github', githubRun({ planted, more }))?.planted).toEqual([]);
  });

  it.each([
    ['failure', 'failed'],
    ['cancelled', 'failed'],
    ['timed_out', 'failed'],
    ['startup_failure', 'failed'],
    ['skipped', 'failed'],
    ['neutral', 'succeeded'],
  ])('whose run ends with %s has %s', (conclusion, phase) => {
    expect(readReport('github', githubRun({ more: { conclusion } }))).toMatchObject({ phase });
  });
});

describe('GitLab', () => {
  it('tells of jobs, each for itself', () => {
    const body = {
      object_kind: 'build',
      build_id: 1977,
      build_name: 'deploy',
      build_status: 'success',
      build_duration: 30.5,
      retries_count: 1,
      pipeline_id: 2366,
      sha: commit,
      project_name: 'acme / app',
      repository: { homepage: 'https://gitlab.example/acme/app' },
    };
    expect(readReport('gitlab', body)).toMatchObject({
      repository: 'acme/app',
      runIds: ['1977'],
      attempt: 2,
      phase: 'succeeded',
      url: 'https://gitlab.example/acme/app/-/jobs/1977',
    });
  });
});

describe('a planted id', () => {
  it.each([
    [planted, [planted]],
    [`Deploy (${planted})`, [planted]],
    [`boomerang_id=${planted}`, [planted]],
    [`task_${planted}`, [planted, `task_${planted}`.slice(0, 32)]],
    ['Deploy', []],
    [undefined, []],
  ])('in %j is %j', (text, found) => {
    expect(plantedIn([text])).toEqual(found);
  });
});

describe('CircleCI', () => {
  it('speaks for what was planted in a pipeline by its workflow, and never by a job', () => {
    const pipeline = { id: 'p1', trigger_parameters: { boomerang_id: planted } };
    const project = { slug: 'gh/acme/app' };
    const times = { started_at: '2026-01-01T00:00:00Z', stopped_at: '2026-01-01T00:00:05Z' };
    const job = { id: 'j1', name: 'lint', status: 'success', ...times };
    const workflow = { id: 'w1', name: 'deploy', status: 'failed', ...times };
    const said = readReport('circleci', { type: 'job-completed', job, pipeline, project });
    expect(said).toMatchObject({ planted: [], runIds: ['j1'] });
    const whole = { type: 'workflow-completed', workflow, pipeline, project };
    expect(readReport('circleci', whole)).toMatchObject({ planted: [planted], phase: 'failed' });
  });
});
