import { plantedIn } from '../correlation.ts';
import { at, plantedTexts, secondsBetween, textAt, urlAt } from '../fields.ts';
import type { CiReport } from '../report.ts';

/** `workflow-completed` and `job-completed`: CircleCI tells ends only. */
export function readCircleci(body: unknown): CiReport | undefined {
  switch (textAt(body, 'type') ?? '') {
    case 'workflow-completed':
      return completed(body, 'workflow', [textAt(body, 'pipeline.id')]);
    case 'job-completed':
      return completed(body, 'job', []);
    default:
      return undefined;
  }
}

function completed(
  body: unknown,
  what: 'workflow' | 'job',
  alsoKnownBy: readonly (string | undefined)[],
): CiReport | undefined {
  const run = at(body, what);
  const [runId, said] = [textAt(run, 'id'), textAt(run, 'status')];
  const repository = textAt(body, 'project.slug');
  if (runId === undefined || said === undefined || repository === undefined) return undefined;
  const parameters = at(body, 'pipeline.trigger_parameters');
  return {
    provider: 'circleci',
    repository,
    runIds: [runId, ...alsoKnownBy.filter((id) => id !== undefined)],
    planted: plantedIn([...plantedTexts(parameters), textAt(run, 'name')]),
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
