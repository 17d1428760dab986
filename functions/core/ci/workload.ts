import type { Result } from '../result.ts';
import type { CiProvider, CiReport } from './report.ts';

/** CI systems whose work can prove by a token of its own where it runs. */
export const keylessProviders = ['github', 'gitlab', 'circleci', 'buildkite'] as const;
export type KeylessProvider = (typeof keylessProviders)[number];

export const isKeyless = (provider: CiProvider): provider is KeylessProvider =>
  keylessProviders.some((known) => known === provider);

/** Work in a CI system that has shown who it is. */
export interface Workload {
  readonly provider: KeylessProvider;
  /** Names the token it showed, by its number or, where its system numbers none, by itself. */
  readonly tokenId: string;
  readonly repository: string;
  readonly runId: string | undefined;
  readonly attempt: number;
  readonly commit: string | undefined;
  /** Where a person can look at it. */
  readonly url: string | undefined;
}

/** Of the named system only, if one is named. */
export type VerifyWorkload = (
  token: string,
  provider?: KeylessProvider,
) => Promise<Result<Workload>>;

/** Where its run is, the token says; the body cannot speak for another. */
export function reportBy(workload: Workload, said: CiReport): CiReport {
  const { provider, repository, runId, attempt } = workload;
  const runIds = runId === undefined ? [] : [runId];
  const commit = workload.commit ?? said.commit;
  const url = said.url ?? workload.url;
  // Its token is bound to the first: no other may be tried instead.
  const planted = said.planted.slice(0, 1);
  return { ...said, provider, repository, runIds, planted, attempt, commit, url };
}

/** What only looks like a token of this kind is one of ours, or nothing. */
export const isWorkloadToken = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
