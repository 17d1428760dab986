import { plantedIn } from '../correlation.ts';
import { at, numberAt, plantedTexts, textAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

/** Our own form, for whatever has none: in the body itself or in its `data`. */
export function readGeneric(given: unknown): CiReport | undefined {
  const body = isObject(given) && isObject(given.data) ? given.data : given;
  const said = textAt(body, 'conclusion') ?? textAt(body, 'status') ?? '';
  const phase = phaseOf(textAt(body, 'status'), textAt(body, 'conclusion'));
  const planted = plantedIn([...plantedTexts(body), textAt(body, 'correlation_id')]);
  const runId = textAt(body, 'run_id');
  if (phase === undefined) return undefined;
  return {
    provider: 'generic',
    repository: textAt(body, 'repository') ?? '',
    runIds: runId === undefined ? [] : [runId],
    planted,
    attempt: numberAt(body, 'attempt') ?? 1,
    phase,
    said,
    name: textAt(body, 'name'),
    url: urlAt(body, 'url'),
    commit: textAt(body, 'commit'),
    durationS: numberAt(body, 'duration', 'duration_s'),
    result: resultIn(body),
    progress: progressIn(body),
    reason: textAt(body, 'error.message', 'error'),
  };
}

function phaseOf(status: string | undefined, conclusion: string | undefined): CiPhase | undefined {
  switch (status?.toLowerCase() ?? '') {
    case 'queued':
      return 'queued';
    case 'progress':
    case 'running':
    case 'in_progress':
      return 'running';
    case 'success':
    case 'succeeded':
      return 'succeeded';
    case 'completed':
      return conclusion === undefined || /^succe/i.test(conclusion) ? 'succeeded' : 'failed';
    case 'failed':
    case 'failure':
    case 'cancelled':
    case 'canceled':
      return 'failed';
    default:
      return undefined;
  }
}

function progressIn(body: unknown): CiReport['progress'] {
  const percent = numberAt(body, 'progress.percent');
  const message = textAt(body, 'progress.message');
  const isPercent = percent !== undefined && percent >= 0 && percent <= 100;
  return {
    ...(isPercent ? { percent } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

function resultIn(body: unknown): CiReport['result'] {
  const result = at(body, 'result');
  return isObject(result) && !Array.isArray(result) ? result : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
