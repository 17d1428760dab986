import { plantedIn } from '../correlation.ts';
import { at, secondsBetween, textAt, titleAt, urlAt } from '../fields.ts';
import type { CiPhase, CiReport } from '../report.ts';

const phases: { readonly [state: string]: CiPhase } = {
  INPROGRESS: 'running',
  SUCCESSFUL: 'succeeded',
  FAILED: 'failed',
  STOPPED: 'failed',
};

/** `repo:commit_status_created` and `repo:commit_status_updated`: how Bitbucket tells of pipelines. */
export function readBitbucket(body: unknown): CiReport | undefined {
  const status = at(body, 'commit_status');
  const [key, said = ''] = [textAt(status, 'key'), textAt(status, 'state')];
  const [repository, phase] = [textAt(body, 'repository.full_name'), phases[said]];
  if (key === undefined || repository === undefined || phase === undefined) return undefined;
  const url = urlAt(status, 'url');
  const number = /\/results\/(\d+)/.exec(url ?? '')?.[1];
  return {
    provider: 'bitbucket',
    repository,
    runIds: number === undefined ? [key] : [number, key],
    // Whoever may post a status on a commit may write to the repository.
    planted: plantedIn([key, titleAt(status, 'name'), titleAt(status, 'description')]),
    attempt: 1,
    phase,
    said,
    name: textAt(status, 'name'),
    url,
    commit:
      textAt(status, 'commit.hash') ??
      /\/commit\/([0-9a-f]+)/.exec(textAt(status, 'links.commit.href') ?? '')?.[1],
    durationS: secondsBetween(at(status, 'created_on'), at(status, 'updated_on')),
  };
}
