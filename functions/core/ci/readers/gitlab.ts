import { plantedIn } from '../correlation.ts';
import { at, numberAt, plantedTexts, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

const phases: { readonly [status: string]: CiPhase } = {
  created: 'queued',
  waiting_for_resource: 'queued',
  preparing: 'queued',
  pending: 'queued',
  scheduled: 'queued',
  manual: 'queued',
  running: 'running',
  canceling: 'running',
  success: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  skipped: 'failed',
};

export function readGitlab(body: unknown): CiReport | undefined {
  switch (textAt(body, 'object_kind') ?? '') {
    case 'pipeline':
      return pipeline(body);
    case 'build':
      return oneOfPipeline(body);
    default:
      return undefined;
  }
}

function pipeline(body: unknown): CiReport | undefined {
  const run = at(body, 'object_attributes');
  const [runId, said = ''] = [textAt(run, 'id'), textAt(run, 'status')];
  const [repository, phase] = [textAt(body, 'project.path_with_namespace'), phases[said]];
  if (runId === undefined || repository === undefined || phase === undefined) return undefined;
  // A merge request may come from a fork, and then its variables and titles are a stranger's.
  const isTrusted = !/merge_request|external_pull_request/.test(textAt(run, 'source') ?? '');
  const texts = [...plantedTexts(at(run, 'variables')), titleAt(run, 'name')];
  return {
    provider: 'gitlab',
    repository,
    runIds: [runId],
    planted: isTrusted ? plantedIn(texts) : [],
    attempt: 1,
    phase,
    said,
    name: textAt(run, 'name', 'ref'),
    url: urlAt(run, 'url') ?? pipelineUrl(body, runId),
    commit: textAt(run, 'sha'),
    durationS: numberAt(run, 'duration'),
  };
}

/** One job of a pipeline: it speaks for itself, never for the pipeline it belongs to. */
function oneOfPipeline(body: unknown): CiReport | undefined {
  const [runId, said = ''] = [textAt(body, 'build_id'), textAt(body, 'build_status')];
  const repository = textAt(body, 'project.path_with_namespace', 'project_name');
  const phase = phases[said];
  if (runId === undefined || repository === undefined || phase === undefined) return undefined;
  const page = urlAt(body, 'project.web_url', 'repository.homepage');
  return {
    provider: 'gitlab',
    repository: repository.replaceAll(' ', ''),
    runIds: [runId],
    planted: plantedIn(plantedTexts(body)),
    attempt: (numberAt(body, 'retries_count') ?? 0) + 1,
    phase,
    said,
    name: textAt(body, 'build_name'),
    url: page && `${page}/-/jobs/${runId}`,
    commit: textAt(body, 'sha'),
    durationS: numberAt(body, 'build_duration'),
  };
}

function pipelineUrl(body: unknown, runId: string): string | undefined {
  const page = urlAt(body, 'project.web_url');
  return page && `${page}/-/pipelines/${runId}`;
}
