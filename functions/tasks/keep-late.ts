import { takesLate } from '../core/late-result.ts';
import type { StoredValue } from '../core/stored-value.ts';
import { keyOf, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { noteLate, type NoteNeeds } from './note-outcome.ts';
import { ringSession, type TellNeeds } from './tell-end.ts';

type Needs = TellNeeds & NoteNeeds & Pick<Ports, 'tasks'>;

/**
 * The result of a task that was cancelled or timed out before it came. It is kept once, beside an end
 * that stays what it was, and its session is told to look; telling again does no harm.
 */
export async function keepLateResult(ports: Needs, task: Task, value: StoredValue): Promise<void> {
  const key = keyOf(task);
  const kept = takesLate(task) ? await ports.tasks.keepLate(key, value) : undefined;
  if (kept) await noteLate(ports, kept);
  const now = kept ?? (await ports.tasks.get(key));
  if (now?.late?.digest === value.digest) await ringSession(ports, now);
}
