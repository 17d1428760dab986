import { plantedIn } from '../correlation.ts';
import { at, numberAt, plantedTexts, secondsBetween, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

/** Whoever sets these off may write to the repository. A title of anything else is a stranger's text. */
const trustedEvents = new Set([
  'workflow_dispatch',
  'repository_dispatch',
  'deployment',
  'push',
  'release',
  'schedule',
]);

/** GitHub says which event it is in a header of its own; the body tells it too, and is signed. */
export function readGithub(body: unknown): CiReport | undefined {
  const repository = textAt(body, 'repository.full_name');
  if (repository === undefined) return undefined;
  if (at(body, 'workflow_run')) return workflowRun(body, repository);
  if (at(body, 'check_run')) return checkRun(body, repository);
  if (at(body, 'deployment_status')) return deploymentStatus(body, repository);
  return undefined;
}

function workflowRun(body: unknown, repository: string): CiReport | undefined {
  const run = at(body, 'workflow_run');
  const runId = textAt(run, 'id');
  if (runId === undefined) return undefined;
  const titles = [titleAt(run, 'display_title'), titleAt(run, 'name')];
  return {
    provider: 'github',
    repository,
    runIds: [runId],
    planted: isTrusted(body) ? plantedIn([...plantedTexts(run), ...titles]) : [],
    attempt: numberAt(run, 'run_attempt') ?? 1,
    ...phaseOf(run),
    name: textAt(run, 'name'),
    url: urlAt(run, 'html_url') ?? runUrl(repository, runId),
    commit: textAt(run, 'head_sha'),
    durationS: secondsBetween(
      at(run, 'run_started_at') ?? at(run, 'created_at'),
      at(run, 'updated_at'),
    ),
  };
}

const runUrl = (repository: string, runId: string) =>
  `https://github.com/${repository}/actions/runs/${runId}`;

/** A fork's pull request gets to choose its title, and with it what a run is called. */
function isTrusted(body: unknown): boolean {
  const event = textAt(body, 'workflow_run.event');
  const head = textAt(body, 'workflow_run.head_repository.full_name');
  const isOwn = head === undefined || head === textAt(body, 'repository.full_name');
  return isOwn && (event === undefined || trustedEvents.has(event));
}

function checkRun(body: unknown, repository: string): CiReport | undefined {
  const run = at(body, 'check_run');
  const runId = textAt(run, 'id');
  if (runId === undefined) return undefined;
  return {
    provider: 'github',
    repository,
    // Numbers of another kind, which a run may have too.
    runIds: [`check_run/${runId}`],
    planted: plantedIn(checkTexts(run)),
    attempt: 1,
    ...phaseOf(run),
    name: textAt(run, 'name'),
    url: urlAt(run, 'html_url', 'details_url'),
    commit: textAt(run, 'head_sha'),
    durationS: secondsBetween(at(run, 'started_at'), at(run, 'completed_at')),
  };
}

/** The app that made it chose them; but of Actions, a workflow did, and that a fork may change. */
function checkTexts(run: unknown) {
  const chosen = ['output.title', 'output.summary', 'name'];
  const trusted = textAt(run, 'app.slug') === 'github-actions' ? [] : chosen;
  return ['external_id', ...trusted].map((path) => titleAt(run, path));
}

/** `status` says how far it is, and once that is `completed`, `conclusion` how it ended. */
function phaseOf(run: unknown): Pick<CiReport, 'phase' | 'said'> {
  const [status = 'queued', conclusion] = [textAt(run, 'status'), textAt(run, 'conclusion')];
  if (status !== 'completed')
    return { phase: status === 'in_progress' ? 'running' : 'queued', said: status };
  const said = conclusion ?? 'unknown';
  return { phase: said === 'success' || said === 'neutral' ? 'succeeded' : 'failed', said };
}

const deploymentPhases: { readonly [state: string]: CiPhase } = {
  queued: 'queued',
  pending: 'queued',
  in_progress: 'running',
  success: 'succeeded',
  failure: 'failed',
  error: 'failed',
};

function deploymentStatus(body: unknown, repository: string): CiReport | undefined {
  const [status, deployment] = [at(body, 'deployment_status'), at(body, 'deployment')];
  const said = textAt(status, 'state') ?? '';
  const [runId, phase] = [textAt(deployment, 'id'), deploymentPhases[said]];
  // A deployment becomes inactive when a later one takes its place: that is no news about its own end.
  if (runId === undefined || phase === undefined) return undefined;
  const payload = at(deployment, 'payload');
  const planted = typeof payload === 'string' ? [payload] : plantedTexts(payload);
  return {
    provider: 'github',
    repository,
    runIds: [`deployment/${runId}`],
    planted: plantedIn([...planted, titleAt(deployment, 'description')]),
    attempt: 1,
    phase,
    said,
    name: textAt(deployment, 'environment'),
    url: urlAt(status, 'environment_url', 'target_url', 'log_url'),
    commit: textAt(deployment, 'sha'),
    durationS: secondsBetween(at(deployment, 'created_at'), at(status, 'created_at')),
  };
}
