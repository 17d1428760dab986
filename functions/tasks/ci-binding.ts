import { correlationIdOf } from '../core/ci/correlation.ts';
import {
  isSameSource,
  plantedName,
  runName,
  namesOf,
  type BoundTask,
  type CiReport,
  type CiRun,
  type CiSource,
} from '../core/ci/report.ts';
import { FatalError } from '../core/author-errors.ts';
import type { TaskId } from '../core/ids.ts';
import type { TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'ci'>;

/** Before a tool hands its correlation id to anyone: from then on a report that carries it finds the task. */
export async function plantId(ports: Needs, key: TaskKey, source?: CiSource): Promise<void> {
  await ports.ci.bind(plantedName(correlationIdOf(key.taskId)), { ...key, source });
}

/** An id can be read by many. Where its tool said who does the work, nobody else speaks for the task. */
export const maySpeakFor = ({ source }: BoundTask, by: CiSource) =>
  source === undefined || isSameSource(source, by);

/** The task that planted the id which stands in this task id; nobody else can be named by it. */
export async function plantedTask(ports: Needs, taskId: TaskId): Promise<BoundTask | undefined> {
  const found = await ports.ci.find(plantedName(correlationIdOf(taskId)));
  return found?.taskId === taskId ? found : undefined;
}

export async function registerRun(ports: Needs, key: TaskKey, run: CiRun): Promise<void> {
  const holder = await ports.ci.bind(runName(run), key);
  if (holder.owner === key.owner && holder.taskId === key.taskId) return;
  throw new FatalError(`Run ${run.runId} of ${run.repository} belongs to another task.`);
}

/**
 * The task a report is about: one that planted an id it carries, or registered exactly its run. One it may
 * not speak for is named only if there is no other.
 */
export async function taskOfReport(ports: Needs, report: CiReport): Promise<BoundTask | undefined> {
  const found = await Promise.all(namesOf(report).map((name) => ports.ci.find(name)));
  const bound = found.filter((key) => key !== undefined);
  return bound.find((key) => maySpeakFor(key, report)) ?? bound[0];
}
