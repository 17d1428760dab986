import { recordTriesMax } from '../core/limits.ts';
import { mayRecord, type BuiltEvent, type Writer } from '../core/task-event.ts';
import { keyOf, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'tasks'>;

export type Recorded =
  | { readonly kind: 'recorded'; readonly before: Task; readonly after: Task }
  /** Not any more; what stands there now, if anything does. */
  | { readonly kind: 'refused'; readonly found: Task | undefined };

/** Builds the event on a task as it was read, or nothing when it has no place there any more. */
export type Build = (task: Task) => BuiltEvent | undefined;

/**
 * Record an event that is built on the task as it was read. Another may write first: then it is built
 * anew on what stands there, as long as the writer still has a say.
 */
export async function recordOnto(
  ports: Needs,
  task: Task,
  writer: Writer,
  build: Build,
): Promise<Recorded> {
  const key = keyOf(task);
  let before = task;
  for (let tries = 0; tries < recordTriesMax; tries += 1) {
    const event = build(before);
    if (!event) return { kind: 'refused', found: before };
    const after = await ports.tasks.record(key, writer, event);
    if (after) return { kind: 'recorded', before, after };
    const found = await ports.tasks.get(key);
    if (!found) return { kind: 'refused', found };
    if (await wasMine(ports, { before, found }, event)) {
      return { kind: 'recorded', before, after: found };
    }
    if (!mayRecord(found, writer)) return { kind: 'refused', found };
    before = found;
  }
  throw new Error('Too many write to this task at once: try again.');
}

/** A write whose answer was lost is sent again by the client and refused: it stands there all the same. */
async function wasMine(
  ports: Needs,
  { before, found }: { readonly before: Task; readonly found: Task },
  event: BuiltEvent,
): Promise<boolean> {
  if (found.sequence <= event.after) return false;
  // An answer that is recorded leaves nothing to build it on, whoever recorded it.
  if (event.kind === 'answered') return false;
  if (event.kind === 'yielded') {
    if (found.parts <= before.parts) return false;
    return (await ports.tasks.part(found, before.parts + 1)).digest === event.part.digest;
  }
  return found.recent.some(
    ({ sequence, percent, atMs }) =>
      sequence === event.after + 1 && percent === event.percent && atMs === event.atMs,
  );
}
