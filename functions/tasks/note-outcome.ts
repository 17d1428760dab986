import type { AuditEntry, ReportOutcome } from '../core/audit.ts';
import type { CiReport } from '../core/ci/report.ts';
import type { Owner, SessionId, TaskId } from '../core/ids.ts';
import type { EndedTask, Task, TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';

/** Where the audit is kept; a room that has none still says it in its log. */
export type NoteNeeds = Pick<Ports, 'clock' | 'log'> & Partial<Pick<Ports, 'audit'>>;

export interface Refused {
  /** What was asked: `callback`, `ci.github`. */
  readonly what: string;
  /** The code of the answer. */
  readonly code: string;
  readonly owner?: Owner | undefined;
  readonly taskId?: TaskId | undefined;
  readonly sessionId?: SessionId | undefined;
  /** It is not known who asked. */
  readonly isStranger?: boolean;
}

/**
 * Someone was refused. An owner who can be named finds it in the audit, and in that of the session it was
 * about; otherwise whoever runs the house does.
 */
export async function noteRefused(
  ports: NoteNeeds & Pick<Ports, 'settings'>,
  refused: Refused,
): Promise<void> {
  const { what, code, taskId, sessionId } = refused;
  const about = { ...(taskId ? { taskId } : {}), ...(sessionId ? { sessionId } : {}) };
  ports.log('warn', 'report refused', { what, code, ...about });
  const owner = refused.owner ?? ports.settings.operator;
  if (!owner) return;
  const atMs = noticedAtMs(ports.clock.nowMs(), refused);
  const entry = { atMs, kind: 'refused', what, code, ...about } as const;
  await Promise.all([
    audit(ports, owner, entry),
    ...(sessionId ? [audit(ports, owner, entry, sessionId)] : []),
  ]);
}

/** A stranger may knock as often as it likes: within a minute that is one row. */
const noticedAtMs = (nowMs: number, { isStranger }: Refused): number =>
  isStranger ? nowMs - (nowMs % 60_000) : nowMs;

interface Reported {
  readonly outcome: ReportOutcome;
  readonly deliveryId: string;
  readonly report: CiReport;
  readonly receivedAtMs: number;
  readonly key: TaskKey | undefined;
}

/** What became of a report of a CI system. What matches no task is told to whoever runs the house. */
export async function noteReport(
  ports: NoteNeeds & Pick<Ports, 'settings'>,
  reported: Reported,
): Promise<void> {
  const { outcome, deliveryId, report, key } = reported;
  const { provider, repository, said } = report;
  const about = { provider, repository, said, deliveryId, taskId: key?.taskId };
  ports.log(outcome === 'dropped' ? 'warn' : 'info', `ci report ${outcome}`, about);
  const owner = key?.owner ?? ports.settings.operator;
  if (!owner) return;
  // It is looked at again and again while it is parked, and that is one row.
  const atMs = outcome === 'parked' ? reported.receivedAtMs : ports.clock.nowMs();
  const task = key ? { taskId: key.taskId } : {};
  await audit(ports, owner, { atMs, kind: 'ci', outcome, provider, deliveryId, ...task });
}

/** A client that listened has heard of the end; it stands in the ledger of the task. */
export async function noteNotified(ports: NoteNeeds, task: EndedTask): Promise<void> {
  const { owner, taskId, state } = task;
  const atMs = ports.clock.nowMs();
  await audit(ports, owner, { atMs, kind: 'notified', taskId, status: state.status }, taskId);
}

/** The real result of a task that was cut short has come, and is kept. */
export async function noteLate(ports: NoteNeeds, { owner, taskId, state }: Task): Promise<void> {
  const entry = { atMs: ports.clock.nowMs(), kind: 'late', taskId, status: state.status } as const;
  await audit(ports, owner, entry);
}

/** What is recorded matters more than its record. */
async function audit(
  ports: NoteNeeds,
  owner: Owner,
  entry: AuditEntry,
  about?: SessionId | TaskId,
): Promise<void> {
  try {
    await ports.audit?.add(owner, entry, about);
  } catch {
    ports.log('warn', 'audit not written', { kind: entry.kind });
  }
}
