import { crosses } from '../core/progress.ts';
import { ringFor } from '../core/ring.ts';
import { hasEnded, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { tellWebhooks, type WebhookNeeds } from './tell-webhooks.ts';
import { endTelling, noteIfLate } from './untold.ts';
import { progressFact } from './webhook-body.ts';

export type TellNeeds = WebhookNeeds & Pick<Ports, 'resumes' | 'signals' | 'clock' | 'log'>;

/**
 * Tell whoever waits that a task has ended. Idempotent, because every message that finds an ended task
 * tells it again; only what a read or a write showed as ended may come here.
 */
export async function tellEnd(ports: TellNeeds, task: Task): Promise<void> {
  if (!hasEnded(task)) throw new Error('Only an ended task is told.');
  ports.signals.raise(task.taskId);
  await Promise.all([
    noteIfLate(ports, task),
    ringSession(ports, task),
    tellWebhooks(ports, endTelling(task)),
  ]);
}

/** Progress is told only where the task has come to one of the marks its tool names. */
export async function tellProgress(
  ports: TellNeeds,
  marks: readonly number[],
  { before, after }: { readonly before: Task; readonly after: Task },
): Promise<void> {
  await Promise.all([
    crosses(marks, before, after) ? ringSession(ports, after) : hintSession(ports, after),
    tellWebhooks(ports, { fact: progressFact(after) }),
  ]);
}

/** A ring only says "look": the session finds the news in the task itself. A client polls. */
export async function ringSession(ports: TellNeeds, task: Task): Promise<void> {
  const { owner, taskId, caller } = task;
  if (caller.kind !== 'session') return;
  const session = { owner, sessionId: caller.sessionId };
  await ports.resumes.send([ringFor(session, ports.clock.nowMs(), [taskId])]);
  hintSession(ports, task);
}

/** Whoever streams the session in this process looks again at once. */
function hintSession(ports: Pick<Ports, 'signals'>, { caller }: Task): void {
  if (caller.kind === 'session') ports.signals.raise(caller.sessionId);
}
