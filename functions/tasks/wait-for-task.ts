import { waitFirstMs, waitStepMsMax } from '../core/limits.ts';
import type { Result } from '../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { findTask } from './find-task.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

/**
 * Read a task, again and again until it ends or the time is up. The steps grow from 50 ms to one
 * second; an end recorded in this process is seen at once.
 */
export async function waitForTask(
  ports: Needs,
  key: TaskKey,
  forMs: number,
): Promise<Result<Task>> {
  const untilMs = ports.clock.nowMs() + forMs;
  let stepMs = waitFirstMs;
  for (;;) {
    // Listen before reading, or an end between the two would go unheard.
    const listening = listen(ports, key);
    const found = await findTask(ports, key);
    const leftMs = untilMs - ports.clock.nowMs();
    if (!found.ok || hasEnded(found.value) || leftMs <= 0) {
      listening.stop();
      return found;
    }
    await Promise.race([
      listening.heard,
      ports.clock.sleep(Math.min(stepMs, leftMs), listening.over),
    ]);
    listening.stop();
    stepMs = Math.min(stepMs * 2, waitStepMsMax);
  }
}

function listen(ports: Needs, { taskId }: TaskKey) {
  const over = new AbortController();
  return {
    heard: ports.signals.next(taskId, over.signal),
    over: over.signal,
    stop: () => over.abort(),
  };
}
