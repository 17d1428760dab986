import type { Owner, TaskId } from '../core/ids.ts';
import type { Ports } from '../ports.ts';

/** Where the audit is kept; a room that has none still says it in its log. */
export type NoteNeeds = Pick<Ports, 'clock' | 'log'> & Partial<Pick<Ports, 'audit'>>;

export interface Refused {
  /** What was asked: `callback`, `ci github`. */
  readonly what: string;
  /** The code of the answer. */
  readonly code: string;
  readonly owner?: Owner | undefined;
  readonly taskId?: TaskId | undefined;
}

/** Someone outside was refused. An owner who can be named finds it in the audit, the operator in the log. */
export async function noteRefused(ports: NoteNeeds, refused: Refused): Promise<void> {
  const { what, code, owner, taskId } = refused;
  ports.log('warn', 'report refused', { what, code, ...(taskId ? { taskId } : {}) });
  if (!owner || !ports.audit) return;
  const entry = { atMs: ports.clock.nowMs(), kind: 'refused', what, code } as const;
  try {
    await ports.audit.add(owner, taskId ? { ...entry, taskId } : entry);
  } catch {
    // The answer matters more than its record.
    ports.log('warn', 'audit not written', { what, code });
  }
}
