import type { EndEvent } from '../core/task-event.ts';
import {
  hasEnded,
  keyOf,
  nextLookMs,
  timeUpAtMs,
  type EndedTask,
  type Task,
} from '../core/task.ts';
import type { EndRequest, WorkMessage } from '../core/work-message.ts';
import type { Ports, Verdict } from '../ports.ts';
import { keepLateResult } from '../tasks/keep-late.ts';
import { tellEnd, type TellNeeds } from '../tasks/tell-end.ts';

type Needs = TellNeeds & Pick<Ports, 'tasks'>;
type EndMessage = Extract<WorkMessage, { kind: EndRequest | 'finish' }>;

/**
 * End an open task because someone cancelled it or brought its end, its time is up, or its message is
 * poison; then tell.
 */
export async function endTask(ports: Needs, message: EndMessage): Promise<Verdict> {
  const task = await ports.tasks.get(keyOf(message));
  if (!task) return 'done';
  const nowMs = ports.clock.nowMs();
  const event = endEvent(message, task, nowMs);
  if (hasEnded(task)) return tellEnded(ports, task, event);
  if (message.kind === 'expire' && timeUpAtMs(task) > nowMs) return lookLater(ports, task);
  return recordEnd(ports, task, event);
}

/** It was heard of since the sweep looked: the sweep must look again, or a later silence goes unseen. */
async function lookLater(ports: Needs, task: Task): Promise<Verdict> {
  const atMs = nextLookMs(task, ports.clock.nowMs());
  if (atMs > task.dueMs) await ports.tasks.moveDue(keyOf(task), atMs);
  return 'done';
}

async function recordEnd(ports: Needs, task: Task, event: EndEvent): Promise<Verdict> {
  const key = keyOf(task);
  const ended = (await ports.tasks.record(key, 'anyone', event)) ?? (await ports.tasks.get(key));
  return ended && hasEnded(ended) ? tellEnded(ports, ended, event) : 'keep';
}

/** Whatever it ended as, it is told; a result that came second is kept if the end came too soon. */
async function tellEnded(ports: Needs, task: EndedTask, event: EndEvent): Promise<Verdict> {
  if (event.kind === 'completed') await keepLateResult(ports, task, event.result);
  await tellEnd(ports, task);
  return 'done';
}

function endEvent(message: EndMessage, task: Task, atMs: number): EndEvent {
  switch (message.kind) {
    case 'finish':
      return message.event;
    case 'cancel':
      return { kind: 'cancelled', atMs, token: message.token };
    case 'expire':
      if (task.deadlineMs <= atMs) return { kind: 'failed', atMs, error: timedOut };
      return { kind: 'failed', atMs, error: unheard, heardAtMs: task.updatedAtMs };
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

const unheard = {
  code: 'timed_out',
  message: 'Nothing was heard of it for longer than its tool allows.',
} as const;
