import { placeOf, runNamesOf } from '../core/ci/report.ts';
import { responseTo } from '../core/ci/response.ts';
import { delayMsMax, parkedMsMax } from '../core/limits.ts';
import type { Task } from '../core/task.ts';
import type { WorkMessage } from '../core/work-message.ts';
import { taskOfReport } from '../tasks/ci-binding.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { respondToTask } from '../tasks/respond-to-task.ts';
import type { RunNeeds } from './run-task.ts';
import type { Verdict } from './work.ts';

type ReportMessage = Extract<WorkMessage, { kind: 'ci' }>;

/** How soon a report that matches nothing is looked at again; the wait then grows with its age. */
const parkedFirstMs = 1000;

/**
 * Apply what a CI system told to the task it is about. A delivery counts once, a run only moves forward,
 * and what belongs to no task yet waits for one.
 */
export async function takeReport(ports: RunNeeds, message: ReportMessage): Promise<Verdict> {
  const { report, deliveryId, token } = message;
  const { provider } = report;
  if (!(await ports.ci.take(`${provider}#${deliveryId}`, token))) {
    return tell(ports, message, 'duplicate');
  }
  const key = await taskOfReport(ports, report);
  if (!key) return park(ports, message);
  const task = await ports.tasks.get(key);
  if (!task) return tell(ports, message, 'ignored');
  const moved = await Promise.all(
    runNamesOf(report).map((name) => ports.ci.advance(name, placeOf(report))),
  );
  if (moved.includes(false)) return tell(ports, message, 'ignored', task);
  const answered = await respondToTask(ports, task, responseTo(report), 'callback');
  if (answered.ok) return tell(ports, message, 'applied', task);
  const { owner, taskId } = task;
  const { reason: code } = answered.failure;
  await noteRefused(ports, { what: `ci ${provider}`, code, owner, taskId });
  return 'done';
}

/** Waiting is not failing: it is sent again, later each time, until its day is over. */
async function park(ports: RunNeeds, message: ReportMessage): Promise<Verdict> {
  const ageMs = ports.clock.nowMs() - message.receivedAtMs;
  if (ageMs >= parkedMsMax) return tell(ports, message, 'dropped');
  const waitMs = Math.min(delayMsMax, Math.max(parkedFirstMs, ageMs));
  await ports.work.send([message], waitMs);
  return tell(ports, message, 'parked');
}

function tell(
  ports: RunNeeds,
  { report, deliveryId }: ReportMessage,
  outcome: 'applied' | 'parked' | 'ignored' | 'duplicate' | 'dropped',
  task?: Task,
): Verdict {
  const { provider, repository, said } = report;
  const level = outcome === 'dropped' ? 'warn' : 'info';
  const about = { provider, repository, said, deliveryId, taskId: task?.taskId };
  ports.log(level, `ci report ${outcome}`, about);
  return 'done';
}
