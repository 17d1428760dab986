import type { StoredValue } from './stored-value.ts';
import { hasEnded, type EndedState, type Task } from './task.ts';

/** An end by time or by cancel may have come too soon: the tool may still bring its result, once. */
export const takesLate = (task: Task): boolean =>
  hasEnded(task) && task.late === undefined && wasCutShort(task.state);

export const wasCutShort = (state: EndedState): boolean =>
  state.status === 'cancelled' || (state.status === 'failed' && state.error.code === 'timed_out');

/** Keep it beside the end, which stays what it was: a task ends once. */
export function keepLate(task: Task, value: StoredValue): Task | undefined {
  return takesLate(task) ? { ...task, late: { digest: value.digest, value } } : undefined;
}
