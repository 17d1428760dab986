import { plantedIn } from '../correlation.ts';
import { at, plantedTexts, secondsBetween, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiReport } from '../report.ts';

/**
 * `workflow-completed` and `job-completed`: CircleCI tells ends only. What was planted in the pipeline is
 * spoken for by its workflow; a job speaks for itself.
 */
export function readCircleci(body: unknown): CiReport | undefined {
  switch (textAt(body, 'type') ?? '') {
    case 'workflow-completed': {
      const parameters = at(body, 'pipeline.trigger_parameters');
      return completed(body, 'workflow', {
        alsoKnownBy: [textAt(body, 'pipeline.id')],
        planted: plantedTexts(parameters),
      });
    }
    case 'job-completed':
      return completed(body, 'job', { alsoKnownBy: [], planted: [] });
    default:
      return undefined;
  }
}

interface Known {
  readonly alsoKnownBy: readonly (string | undefined)[];
  readonly planted: readonly string[];
}

function completed(
  body: unknown,
  what: 'workflow' | 'job',
  { alsoKnownBy, planted }: Known,
): CiReport | undefined {
  const run = at(body, what);
  const [runId, said] = [textAt(run, 'id'), textAt(run, 'status')];
  const repository = textAt(body, 'project.slug');
  if (runId === undefined || said === undefined || repository === undefined) return undefined;
  return {
    provider: 'circleci',
    repository,
    runIds: [runId, ...alsoKnownBy.filter((id) => id !== undefined)],
    planted: plantedIn([...planted, titleAt(run, 'name')]),
    attempt: 1,
    phase: said === 'success' ? 'succeeded' : 'failed',
    said,
    name: textAt(run, 'name'),
    url: urlAt(run, 'url') ?? urlAt(body, 'workflow.url'),
    commit: textAt(body, 'pipeline.vcs.revision'),
    durationS: secondsBetween(
      at(run, 'created_at') ?? at(run, 'started_at'),
      at(run, 'stopped_at'),
    ),
  };
}
