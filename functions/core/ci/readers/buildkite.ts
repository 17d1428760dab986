import { plantedIn } from '../correlation.ts';
import { at, plantedTexts, secondsBetween, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

const phases: { readonly [state: string]: CiPhase } = {
  creating: 'queued',
  scheduled: 'queued',
  blocked: 'queued',
  running: 'running',
  started: 'running',
  failing: 'running',
  canceling: 'running',
  passed: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  skipped: 'failed',
  not_run: 'failed',
};

/** It waits for a person to unblock it, and says `passed` meanwhile. */
const isBlocked = (build: unknown) =>
  at(build, 'blocked') === true && textAt(build, 'state') !== 'canceled';

/** `build.scheduled`, `build.running`, `build.finished`, and nothing below a build. */
export function readBuildkite(body: unknown): CiReport | undefined {
  const build = at(body, 'build');
  if (!textAt(body, 'event')?.startsWith('build.')) return undefined;
  const [runId, said = ''] = [textAt(build, 'id'), textAt(build, 'state')];
  const repository = textAt(body, 'pipeline.slug');
  const phase = isBlocked(build) ? 'running' : phases[said];
  if (runId === undefined || repository === undefined || phase === undefined) return undefined;
  const isTrusted = at(build, 'pull_request') == null;
  const texts = [
    ...plantedTexts(at(build, 'meta_data')),
    ...plantedTexts(at(build, 'env')),
    titleAt(build, 'message'),
  ];
  const number = textAt(build, 'number');
  return {
    provider: 'buildkite',
    repository,
    runIds: number === undefined ? [runId] : [runId, number],
    planted: isTrusted ? plantedIn(texts) : [],
    attempt: 1,
    phase,
    said,
    name: textAt(body, 'pipeline.name'),
    url: urlAt(build, 'web_url'),
    commit: textAt(build, 'commit'),
    durationS: secondsBetween(at(build, 'started_at'), at(build, 'finished_at')),
  };
}
