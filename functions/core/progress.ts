import { progressNotesMax, progressTextBytesMax } from './limits.ts';
import type { Built, ProgressedEvent } from './task-event.ts';
import type { Task } from './task.ts';
import { clipText } from './text.ts';

/** How far it is, as someone reports it; what is left out stays as it was. */
export interface Report {
  readonly percent?: number | undefined;
  readonly message?: string | undefined;
}

/** The event that a report makes of a task as it was read. */
export function progressOnto(
  task: Task,
  report: Report,
  times: Pick<Built, 'atMs' | 'claimUntilMs'>,
): ProgressedEvent {
  const reached = task.progress?.percent ?? 0;
  const percent = nextPercent(reached, report.percent ?? reached);
  const said = report.message ?? task.progress?.message ?? '';
  const message = clipText(said, progressTextBytesMax);
  const note = { sequence: task.sequence + 1, percent, message, atMs: times.atMs };
  const recent = [...task.recent, note].slice(-progressNotesMax);
  return { kind: 'progressed', after: task.sequence, percent, message, recent, ...times };
}

/** Progress never goes down, not even when a run begins again from the top. */
export function nextPercent(reached: number, percent: number): number {
  const wanted = Number.isFinite(percent) ? Math.round(percent) : reached;
  return Math.max(reached, Math.min(100, Math.max(0, wanted)));
}

/** Whether a report brings a task to or past one of the marks at which its caller is told. */
export function crosses(marks: readonly number[], before: Task, after: Task): boolean {
  const from = before.progress?.percent ?? 0;
  const to = after.progress?.percent ?? 0;
  return marks.some((mark) => mark > from && mark <= to);
}
