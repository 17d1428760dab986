import type { Flaw } from '../failure.ts';
import type { Report } from '../progress.ts';
import type { CiReport } from './report.ts';

type CiResponse =
  | { readonly progress: Report }
  | { readonly result: CiResult | Readonly<Record<string, unknown>> }
  | { readonly error: { readonly message: string } };

/** What a task whose work was a CI run ends with. */
interface CiResult {
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
      return { progress: { message: `${name}: ${said}`, ...report.progress } };
    case 'succeeded':
      return { result: report.result ?? resultOf(report) };
    case 'failed': {
      const where = report.url === undefined ? '' : ` (${report.url})`;
      const why = report.reason ?? `${name} ended with ${said}`;
      return { error: { message: `${why}${where}` } };
    }
  }
}

/** The run of a report in words. */
export function runWords({ repository, runIds, provider, name = provider }: CiReport): string {
  const run = [name, ...runIds.slice(0, 1).map((id) => `run ${id}`)].join(' ');
  return repository === '' ? run : `${run} of ${repository}`;
}

/** What a task ends with whose work went well, but gave what its tool does not. */
export function misfitOf(work: string, flaws: readonly Flaw[]): { readonly message: string } {
  const wrong = flaws.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { message: `${work} succeeded, but its result does not fit the tool: ${wrong}` };
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
