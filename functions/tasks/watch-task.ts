import { waitFirstMs, waitStepMsMax } from '../core/limits.ts';
import type { Result } from '../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { findTask } from './find-task.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

interface Watch {
  readonly untilMs: number;
  /** Nobody looks any more. */
  readonly signal?: AbortSignal;
  /** Told what was read, each time something has happened since. */
  readonly seen?: (task: Task) => void | Promise<void>;
  /** Told each time it was read, for what a task itself does not show. */
  readonly looked?: (task: Task) => Promise<void>;
  /** What the watch waits for; the task's end unless said. */
  readonly isOver?: (task: Task) => boolean;
}

/**
 * Read a task, again and again until it ends or the time is up. The steps grow from 50 ms to one
 * second and begin anew with each event; an end recorded in this process is seen at once.
 */
export async function watchTask(ports: Needs, key: TaskKey, watch: Watch): Promise<Result<Task>> {
  const { untilMs, signal, seen, looked, isOver = hasEnded } = watch;
  let stepMs = waitFirstMs;
  let last: Task | undefined;
  for (;;) {
    // Listen before reading, or an end between the two would go unheard.
    const listening = listen(ports, key, signal);
    const found = await findTask(ports, key);
    if (found.ok && hasChanged(last, found.value)) {
      await seen?.(found.value);
      stepMs = waitFirstMs;
      last = found.value;
    }
    if (found.ok) await looked?.(found.value);
    const leftMs = untilMs - ports.clock.nowMs();
    if (!found.ok || isOver(found.value) || leftMs <= 0 || signal?.aborted) {
      listening.stop();
      return found;
    }
    const pause = ports.clock.sleep(Math.min(stepMs, leftMs), listening.over);
    await Promise.race([listening.heard, pause]);
    listening.stop();
    stepMs = Math.min(stepMs * 2, waitStepMsMax);
  }
}

const hasChanged = (last: Task | undefined, now: Task) =>
  last?.sequence !== now.sequence || last.state.status !== now.state.status;

function listen(ports: Needs, { taskId }: TaskKey, signal: AbortSignal | undefined) {
  const stopping = new AbortController();
  const over = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  return { heard: ports.signals.next(taskId, over), over, stop: () => stopping.abort() };
}
