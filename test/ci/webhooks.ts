import { createHmac } from 'node:crypto';
import type { CiProvider } from '../../functions/core/ci/report.ts';
import { readCiSecrets } from '../../functions/adapters/ci-settings.ts';

/** Webhooks of every provider as it sends them: the fields its documentation names, signed as it signs. */

export const standardSecret = `whsec_${Buffer.from('a standard webhooks signing secret').toString('base64')}`;

export const secretEnv = {
  CI_SECRET_GITHUB: 'the secret of github',
  CI_SECRET_GITLAB: standardSecret,
  CI_SECRET_BUILDKITE: 'the secret of buildkite',
  CI_SECRET_CIRCLECI: 'the secret of circleci',
  CI_SECRET_BITBUCKET: 'the secret of bitbucket',
  CI_SECRET_JENKINS: standardSecret,
  CI_SECRET_GENERIC: standardSecret,
};
export const secrets = readCiSecrets(secretEnv);

export type Headers = Record<string, string>;

const hex = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

export function standardHeaders(body: string, atMs: number, id = 'msg_1', secret = standardSecret) {
  const time = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` };
}

let deliveries = 0;

export function sign(provider: CiProvider, body: string, atMs: number, id?: string): Headers {
  switch (provider) {
    case 'github':
      return {
        'x-github-event': 'workflow_run',
        'x-github-delivery': id ?? `delivery-${++deliveries}`,
        'x-hub-signature-256': `sha256=${hex(secretEnv.CI_SECRET_GITHUB, body)}`,
      };
    case 'bitbucket':
      return {
        'x-event-key': 'repo:commit_status_updated',
        'x-hub-signature': `sha256=${hex(secretEnv.CI_SECRET_BITBUCKET, body)}`,
      };
    case 'circleci':
      return { 'circleci-signature': `v1=${hex(secretEnv.CI_SECRET_CIRCLECI, body)}` };
    case 'buildkite': {
      const time = Math.floor(atMs / 1000);
      const signature = hex(secretEnv.CI_SECRET_BUILDKITE, `${time}.${body}`);
      return { 'x-buildkite-signature': `timestamp=${time},signature=${signature}` };
    }
    case 'gitlab':
    case 'jenkins':
    case 'generic':
      return standardHeaders(body, atMs, id ?? `msg_${++deliveries}`);
  }
}

/** Which header carries the signature. */
export const signatureHeader: Record<CiProvider, string> = {
  github: 'x-hub-signature-256',
  bitbucket: 'x-hub-signature',
  circleci: 'circleci-signature',
  buildkite: 'x-buildkite-signature',
  gitlab: 'webhook-signature',
  jenkins: 'webhook-signature',
  generic: 'webhook-signature',
};

export const commit = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const started = '2026-01-01T00:00:00Z';
const ended = '2026-01-01T00:08:00Z';

export interface RunFacts {
  readonly planted?: string;
  readonly runId?: string;
  readonly outcome?: 'queued' | 'running' | 'success' | 'failure';
  readonly attempt?: number;
  readonly more?: object;
}

export function githubRun({
  planted,
  runId = '7001',
  outcome = 'success',
  attempt = 1,
  more,
}: RunFacts) {
  const isOver = outcome === 'success' || outcome === 'failure';
  return {
    action: isOver ? 'completed' : outcome === 'running' ? 'in_progress' : 'requested',
    workflow_run: {
      id: Number(runId),
      name: 'Deploy',
      display_title: planted ? `Deploy v2.5.0 to staging (${planted})` : 'Deploy v2.5.0',
      event: 'workflow_dispatch',
      status: isOver ? 'completed' : outcome === 'running' ? 'in_progress' : 'queued',
      conclusion: isOver ? outcome : null,
      run_number: 12,
      run_attempt: attempt,
      html_url: `https://github.com/acme/app/actions/runs/${runId}`,
      head_branch: 'main',
      head_sha: commit,
      created_at: started,
      run_started_at: started,
      updated_at: ended,
      head_repository: { id: 1, full_name: 'acme/app' },
      ...more,
    },
    workflow: { id: 9, name: 'Deploy', path: '.github/workflows/deploy.yml' },
    repository: { id: 1, full_name: 'acme/app' },
    sender: { login: 'octocat' },
  };
}

const gitlabPipeline = ({ planted, runId = '31', outcome = 'success' }: RunFacts) => ({
  object_kind: 'pipeline',
  object_attributes: {
    id: Number(runId),
    iid: 3,
    name: 'Deploy',
    ref: 'main',
    sha: commit,
    source: 'trigger',
    status: { queued: 'pending', running: 'running', success: 'success', failure: 'failed' }[
      outcome
    ],
    duration: outcome === 'success' || outcome === 'failure' ? 480 : null,
    url: `https://gitlab.example/acme/app/-/pipelines/${runId}`,
    variables: planted ? [{ key: 'BOOMERANG_ID', value: planted }] : [],
  },
  project: { id: 1, path_with_namespace: 'acme/app', web_url: 'https://gitlab.example/acme/app' },
  builds: [{ id: 380, stage: 'deploy', name: 'production', status: 'success' }],
});

const buildkiteBuild = ({ planted, runId = 'f62a1b4d', outcome = 'success' }: RunFacts) => ({
  event: outcome === 'success' || outcome === 'failure' ? 'build.finished' : 'build.running',
  build: {
    id: runId,
    number: 27,
    state: { queued: 'scheduled', running: 'running', success: 'passed', failure: 'failed' }[
      outcome
    ],
    message: 'Deploy',
    commit,
    web_url: 'https://buildkite.com/acme/app/builds/27',
    meta_data: planted ? { boomerang_id: planted } : {},
    started_at: started,
    finished_at: ended,
    pull_request: null,
  },
  pipeline: { id: 'p', slug: 'app', name: 'App' },
  sender: { id: 's', name: 'Ann' },
});

const circleWorkflow = ({ planted, runId = 'wf-1', outcome = 'success' }: RunFacts) => ({
  id: 'event-1',
  type: 'workflow-completed',
  happened_at: ended,
  webhook: { id: 'w', name: 'Boomerang' },
  workflow: {
    id: runId,
    name: 'deploy',
    status: outcome === 'success' ? 'success' : 'failed',
    created_at: started,
    stopped_at: ended,
    url: 'https://app.circleci.com/pipelines/github/acme/app/12/workflows/wf-1',
  },
  pipeline: {
    id: 'pipe-1',
    number: 12,
    trigger_parameters: planted ? { circleci: {}, api: { boomerang_id: planted } } : {},
    vcs: { revision: commit, branch: 'main' },
  },
  project: { id: 'p', name: 'app', slug: 'github/acme/app' },
  organization: { id: 'o', name: 'acme' },
});

const bitbucketStatus = ({ planted, outcome = 'success' }: RunFacts) => ({
  commit_status: {
    key: '-12345',
    name: `Pipeline #5 for main${planted ? ` boomerang ${planted}` : ''}`,
    state: {
      queued: 'INPROGRESS',
      running: 'INPROGRESS',
      success: 'SUCCESSFUL',
      failure: 'FAILED',
    }[outcome],
    url: 'https://bitbucket.org/acme/app/addon/pipelines/home#!/results/5',
    description: '',
    commit: { hash: commit },
    created_on: started,
    updated_on: ended,
  },
  repository: { full_name: 'acme/app', name: 'app' },
  actor: { display_name: 'Ann' },
});

const jenkinsBuild = ({ planted, runId = '18', outcome = 'success' }: RunFacts) => ({
  name: 'app/deploy',
  display_name: 'deploy',
  url: 'job/app/job/deploy/',
  build: {
    full_url: `https://jenkins.example/job/app/job/deploy/${runId}/`,
    number: Number(runId),
    phase: { queued: 'QUEUED', running: 'STARTED', success: 'FINALIZED', failure: 'FINALIZED' }[
      outcome
    ],
    status: { queued: undefined, running: undefined, success: 'SUCCESS', failure: 'FAILURE' }[
      outcome
    ],
    duration: 480_000,
    url: `job/app/job/deploy/${runId}/`,
    parameters: planted ? { boomerang_id: planted } : {},
    scm: { commit, branch: 'origin/main' },
  },
});

const genericRun = ({ planted, runId = '5', outcome = 'success', attempt = 1 }: RunFacts) => ({
  status: { queued: 'queued', running: 'running', success: 'completed', failure: 'failed' }[
    outcome
  ],
  ...(planted ? { boomerang_id: planted } : {}),
  repository: 'acme/app',
  run_id: runId,
  attempt,
  url: 'https://ci.example/acme/app/5',
  commit,
  duration: 480,
});

export const payloads: Record<CiProvider, (facts: RunFacts) => object> = {
  github: githubRun,
  gitlab: gitlabPipeline,
  buildkite: buildkiteBuild,
  circleci: circleWorkflow,
  bitbucket: bitbucketStatus,
  jenkins: jenkinsBuild,
  generic: genericRun,
};
