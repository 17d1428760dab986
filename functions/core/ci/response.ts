import type { Flaw } from '../failure.ts';
import type { Report } from '../progress.ts';
import type { CiReport } from './report.ts';

export type CiResponse =
  | { readonly progress: Report }
  | { readonly result: CiResult | Readonly<Record<string, unknown>> }
  | { readonly error: { readonly message: string } };

/** What a task whose work was a CI run ends with. */
export interface CiResult {
  readonly status: 'success';
  readonly url?: string;
  /** In seconds. */
  readonly duration?: number;
  readonly commit?: string;
  readonly provider: string;
  readonly repository: string;
  readonly run_id?: string;
  readonly attempt: number;
  readonly conclusion: string;
}

/** What a report means for the task it belongs to. */
export function responseTo(report: CiReport): CiResponse {
  const { phase, said, name = report.provider } = report;
  switch (phase) {
    case 'queued':
    case 'running':
      return { progress: { message: `${name}: ${said}` } };
    case 'succeeded':
      return { result: report.result ?? resultOf(report) };
    case 'failed': {
      const where = report.url === undefined ? '' : ` (${report.url})`;
      return { error: { message: `${name} ended with ${said}${where}` } };
    }
  }
}

/** What a task ends with whose run went well, but gave what its tool does not. */
export function misfitOf(report: CiReport, flaws: readonly Flaw[]): { readonly message: string } {
  const { repository, runIds, provider, name = provider } = report;
  const run = [name, ...runIds.slice(0, 1).map((id) => `run ${id}`)].join(' ');
  const where = repository === '' ? '' : ` of ${repository}`;
  const wrong = flaws.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { message: `${run}${where} succeeded, but its result does not fit the tool: ${wrong}` };
}

function resultOf(report: CiReport): CiResult {
  const { url, durationS, commit, provider, repository, attempt, said } = report;
  const [runId] = report.runIds;
  return {
    status: 'success',
    ...(url === undefined ? {} : { url }),
    ...(durationS === undefined ? {} : { duration: durationS }),
    ...(commit === undefined ? {} : { commit }),
    provider,
    repository,
    ...(runId === undefined ? {} : { run_id: runId }),
    attempt,
    conclusion: said,
  };
}
