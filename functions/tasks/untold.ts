import type { EndedTask } from '../core/task.ts';
import { deliveryOf } from '../core/webhook-delivery.ts';
import { untoldMs } from '../core/webhook-limits.ts';
import type { Ports } from '../ports.ts';
import { listenersTo, type Telling } from './tell-webhooks.ts';
import { endFact } from './webhook-body.ts';

type Needs = Pick<Ports, 'webhooks' | 'clock' | 'log'>;

/** Who is to hear of a task's end. */
export const endTelling = (task: EndedTask): Telling => ({
  fact: endFact(task),
  webhookId: task.webhookId,
  heardSinceMs: task.state.endedAtMs,
});

/** How long ago it ended, if that is so long that everyone should have been told. */
export function lateMs({ clock }: Pick<Ports, 'clock'>, { state }: EndedTask): number | undefined {
  const forMs = clock.nowMs() - state.endedAtMs;
  return forMs < untoldMs ? undefined : forMs;
}

/** Of an end that is long over: how many of its receivers have no delivery, which is worth an alarm. */
export async function countUntold(ports: Needs, task: EndedTask): Promise<number> {
  const forMs = lateMs(ports, task);
  if (forMs === undefined) return 0;
  const { fact, ...rest } = endTelling(task);
  const listeners = await listenersTo(ports, { fact, ...rest });
  const told = await Promise.all(
    listeners.map((key) => ports.webhooks.delivery(deliveryOf(fact, key))),
  );
  const untold = told.filter((delivery) => delivery === undefined).length;
  if (untold > 0) noteUntold(ports, task, { to: 'webhook', forMs });
  return untold;
}

/** Whoever should have told it has died, or its message waited. That it cannot be counted stops nobody from telling. */
export async function noteIfLate(ports: Needs, task: EndedTask): Promise<void> {
  try {
    await countUntold(ports, task);
  } catch {
    ports.log('warn', 'untold not counted', { taskId: task.taskId });
  }
}

/** An alarm listens for these words: infra/untold.ts. */
export const untoldFact = 'ended but not told';

export function noteUntold(
  { log }: Pick<Ports, 'log'>,
  { taskId }: EndedTask,
  { to, forMs }: { readonly to: 'webhook' | 'inbox'; readonly forMs: number },
): void {
  log('warn', untoldFact, { taskId, to, forS: Math.round(forMs / 1000) });
}
