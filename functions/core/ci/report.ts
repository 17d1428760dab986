import type { Report } from '../progress.ts';
import type { TaskKey } from '../task.ts';

/** What a CI system says about one of its runs, in one form whatever system it is. */

export const ciProviders = [
  'github',
  'gitlab',
  'buildkite',
  'circleci',
  'bitbucket',
  'jenkins',
  'generic',
] as const;

export type CiProvider = (typeof ciProviders)[number];

export const isCiProvider = (name: string): name is CiProvider =>
  ciProviders.some((known) => known === name);

/** Where runs are. */
export interface CiSource {
  readonly provider: CiProvider;
  readonly repository: string;
}

export const isSameSource = (one: CiSource, other: CiSource) =>
  one.provider === other.provider &&
  one.repository.toLowerCase() === other.repository.toLowerCase();

/** A task that has a name of CI, and who alone may speak by it, if that is known. */
export interface BoundTask extends TaskKey {
  readonly source?: CiSource | undefined;
}

/** A run as its CI system names it. */
export interface CiRun extends CiSource {
  readonly runId: string;
}

export type CiPhase = 'queued' | 'running' | 'succeeded' | 'failed';

export interface CiReport {
  readonly provider: CiProvider;
  readonly repository: string;
  /** The run, and whatever else it is known by: a workflow and its pipeline. */
  readonly runIds: readonly string[];
  /** What stands where a task plants its id, most likely first. Whether it is one, the store knows. */
  readonly planted: readonly string[];
  /** How often the run was begun anew, counted from one. */
  readonly attempt: number;
  readonly phase: CiPhase;
  /** The system's own word for it. */
  readonly said: string;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly commit?: string | undefined;
  readonly durationS?: number | undefined;
  /** How far it is and why it failed, where its sender may say so. */
  readonly progress?: Report | undefined;
  readonly reason?: string | undefined;
  /** What the work gave, where its sender may say so. */
  readonly result?: Readonly<Record<string, unknown>> | undefined;
}

/** A report with what tells it from all others. */
export interface CiDelivery {
  readonly deliveryId: string;
  readonly report: CiReport;
}

/** Names in the store: one of a planted id, one of a run. Repositories are known in any case of letters. */
export const plantedName = (correlationId: string) => `id#${correlationId}`;
export const runName = ({ provider, repository, runId }: CiRun) =>
  `run#${provider}#${repository.toLowerCase()}#${runId}`;

export const runNamesOf = (report: CiReport) =>
  report.runIds.map((runId) => runName({ ...report, runId }));

/** Where every way a report can be matched is looked up, the planted id first. */
export const namesOf = (report: CiReport): readonly string[] => [
  ...report.planted.map(plantedName),
  ...runNamesOf(report),
];

const ranks: Record<CiPhase, number> = { queued: 0, running: 1, succeeded: 2, failed: 2 };

/** Grows with the life of a run: a later attempt comes after whatever the one before has said. */
export const placeOf = ({ attempt, phase }: CiReport) => attempt * 10 + ranks[phase];

export const hasEnded = ({ phase }: CiReport) => phase === 'succeeded' || phase === 'failed';
