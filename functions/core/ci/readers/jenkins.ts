import { plantedIn } from '../correlation.ts';
import { at, numberAt, plantedTexts, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

/** What the Notification plugin posts; the pipeline snippet in examples/jenkins posts the same. */
export function readJenkins(body: unknown): CiReport | undefined {
  const build = at(body, 'build');
  const [runId, repository] = [textAt(build, 'number'), textAt(body, 'name')];
  const said = textAt(build, 'status') ?? textAt(build, 'phase') ?? '';
  const phase = phaseOf(textAt(build, 'phase'), textAt(build, 'status'));
  if (runId === undefined || repository === undefined || phase === undefined) return undefined;
  const durationMs = numberAt(build, 'duration');
  return {
    provider: 'jenkins',
    repository,
    runIds: [runId],
    planted: plantedIn([...plantedTexts(at(build, 'parameters')), titleAt(build, 'displayName')]),
    attempt: 1,
    phase,
    said,
    name: textAt(body, 'display_name', 'name'),
    url: urlAt(build, 'full_url'),
    commit: textAt(build, 'scm.commit'),
    durationS: durationMs === undefined ? undefined : Math.round(durationMs / 1000),
  };
}

/** A build completes first and is finalized once it has tidied up: only then its status is sure. */
function phaseOf(phase: string | undefined, status: string | undefined): CiPhase | undefined {
  switch (phase ?? '') {
    case 'QUEUED':
      return 'queued';
    case 'STARTED':
    case 'COMPLETED':
      return 'running';
    case 'FINALIZED':
      return status === 'SUCCESS' ? 'succeeded' : 'failed';
    default:
      return undefined;
  }
}
