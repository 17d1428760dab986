import type { ReportOutcome } from '../core/audit.ts';
import { placeOf, runNamesOf, type CiReport } from '../core/ci/report.ts';
import { misfitOf, responseTo, runWords } from '../core/ci/response.ts';
import { delayMsMax, parkedMsMax } from '../core/limits.ts';
import { keyOf, type TaskKey } from '../core/task.ts';
import type { WorkMessage } from '../core/work-message.ts';
import type { Verdict } from '../ports.ts';
import { maySpeakFor, taskOfReport } from '../tasks/ci-binding.ts';
import { noteRefused, noteReport } from '../tasks/note-outcome.ts';
import { respondToTask, type Answered } from '../tasks/respond-to-task.ts';
import type { RunNeeds } from './run-task.ts';

type ReportMessage = Extract<WorkMessage, { kind: 'ci' }>;

/** How soon a report that matches nothing is looked at again; the wait then grows with its age. */
const parkedFirstMs = 1000;

/**
 * Apply what a CI system told to the task it is about. A delivery counts once, a run only moves forward,
 * and what belongs to no task yet waits for one.
 */
export async function takeReport(ports: RunNeeds, message: ReportMessage): Promise<Verdict> {
  const { report, deliveryId, token } = message;
  const isFirst = await ports.ci.take(`${report.provider}#${deliveryId}`, token);
  const bound = await taskOfReport(ports, report);
  const key = bound && keyOf(bound);
  if (!isFirst) return tell(ports, message, 'duplicate', key);
  if (!key) return park(ports, message);
  if (!maySpeakFor(bound, report)) return tell(ports, message, 'ignored', key);
  const task = await ports.tasks.get(key);
  if (!task || !(await moves(ports, report))) return tell(ports, message, 'ignored', key);
  const answered = await respondToTask(ports, task, responseTo(report), 'callback');
  if (answered.ok) return tell(ports, message, outcomeOf(answered.value), key);
  const { failure } = answered;
  await noteRefused(ports, { what: `ci.${report.provider}`, code: failure.reason, ...key });
  // The run is over and says nothing more: left open, its task would wait until the deadline.
  if (failure.reason === 'result_schema_mismatch') {
    await respondToTask(
      ports,
      task,
      { error: misfitOf(runWords(report), failure.flaws) },
      'callback',
    );
  }
  return 'done';
}

/** An end that was there already is not this report's doing. */
const outcomeOf = ({ outcome }: Answered): ReportOutcome =>
  outcome === 'already_resolved' ? 'duplicate' : 'applied';

/** What an earlier attempt or step says late is no news any more. */
async function moves(ports: RunNeeds, report: CiReport): Promise<boolean> {
  // What else it is known by may be used again by the next run.
  const [run] = runNamesOf(report);
  return run === undefined || ports.ci.advance(run, placeOf(report));
}

/** Waiting is not failing: it is sent again, later each time, until its day is over. */
async function park(ports: RunNeeds, message: ReportMessage): Promise<Verdict> {
  const ageMs = ports.clock.nowMs() - message.receivedAtMs;
  if (ageMs >= parkedMsMax) return tell(ports, message, 'dropped');
  const waitMs = Math.min(delayMsMax, Math.max(parkedFirstMs, ageMs));
  await ports.work.send([message], waitMs);
  return tell(ports, message, 'parked');
}

async function tell(
  ports: RunNeeds,
  { report, deliveryId, receivedAtMs }: ReportMessage,
  outcome: ReportOutcome,
  key?: TaskKey,
): Promise<Verdict> {
  await noteReport(ports, { outcome, deliveryId, report, receivedAtMs, key });
  return 'done';
}
