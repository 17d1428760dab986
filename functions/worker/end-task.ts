import type { EndEvent } from '../core/task-event.ts';
import { hasEnded, keyOf, type Task } from '../core/task.ts';
import type { EndRequest, WorkMessage } from '../core/work-message.ts';
import type { Ports } from '../ports.ts';
import { tellEnd } from '../tasks/tell-end.ts';
import type { Verdict } from './work.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

/** End an open task because someone cancelled it, its time is up, or its message is poison; then tell. */
export async function endTask(
  ports: Needs,
  message: Extract<WorkMessage, { kind: EndRequest }>,
): Promise<Verdict> {
  const key = keyOf(message);
  const task = await ports.tasks.get(key);
  if (!task) return 'done';
  if (hasEnded(task)) return tellAndFinish(ports, task);
  const nowMs = ports.clock.nowMs();
  if (message.kind === 'expire' && task.deadlineMs > nowMs) return 'done';
  return recordEnd(ports, task, endEvent(message.kind, nowMs));
}

async function recordEnd(ports: Needs, task: Task, event: EndEvent): Promise<Verdict> {
  const key = keyOf(task);
  const ended = await ports.tasks.record(key, 'anyone', event);
  if (ended) return tellAndFinish(ports, ended);
  const found = await ports.tasks.get(key);
  return found && hasEnded(found) ? tellAndFinish(ports, found) : 'keep';
}

async function tellAndFinish(ports: Needs, task: Task): Promise<Verdict> {
  await tellEnd(ports, task);
  return 'done';
}

function endEvent(kind: EndRequest, atMs: number): EndEvent {
  switch (kind) {
    case 'cancel':
      return { kind: 'cancelled', atMs };
    case 'expire':
      return { kind: 'failed', atMs, error: timedOut };
    case 'poison':
      return {
        kind: 'failed',
        atMs,
        error: { code: 'poison', message: 'The message of this task could not be handled.' },
      };
  }
}

export const timedOut = {
  code: 'timed_out',
  message: 'The deadline passed before the end.',
} as const;
