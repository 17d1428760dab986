import { pageLimitMax } from '../core/limits.ts';
import { hasEnded, type EndedTask, type Task } from '../core/task.ts';
import type { WebhookDelivery } from '../core/webhook-delivery.ts';
import type { Ports } from '../ports.ts';
import { turnThatTold } from './turn-that-told.ts';
import { isoTime } from '../tasks/iso-time.ts';

type Needs = Pick<Ports, 'sessions' | 'objects' | 'audit'>;

/** One way in which the end of a task was told, or is about to be. */
export type Told =
  | {
      readonly to: 'webhook';
      readonly endpoint_id: string;
      readonly delivery_id: string;
      readonly status: WebhookDelivery['status'];
      readonly at?: string;
    }
  /** Pending while the end waits in the session's inbox. */
  | {
      readonly to: 'inbox';
      readonly session_id: string;
      readonly status: 'pending' | 'delivered';
      readonly turn?: number;
      readonly at?: string;
    }
  /** A client that listened. */
  | { readonly to: 'mcp'; readonly status: 'delivered'; readonly at: string };

/** What was told of a task's end, to whom and when. Nothing is told of a task that goes on. */
export async function readLedger(
  ports: Needs,
  task: Task,
  deliveries: readonly WebhookDelivery[],
): Promise<readonly Told[]> {
  if (!hasEnded(task)) return [];
  const [inbox, mcp] = await Promise.all([toldInbox(ports, task), toldClients(ports, task)]);
  return [...inbox, ...deliveries.map(toldWebhook), ...mcp];
}

function toldWebhook(delivery: WebhookDelivery): Told {
  const { endpointId, deliveryId, status, settledAtMs } = delivery;
  const at = settledAtMs === undefined ? {} : { at: isoTime(settledAtMs) };
  return { to: 'webhook', endpoint_id: endpointId, delivery_id: deliveryId, status, ...at };
}

async function toldInbox(ports: Needs, task: EndedTask): Promise<readonly Told[]> {
  const { caller } = task;
  if (caller.kind !== 'session') return [];
  const inbox = { to: 'inbox', session_id: caller.sessionId } as const;
  const turn = await turnThatTold(ports, task);
  if (!turn) return [{ ...inbox, status: 'pending' }];
  const at = isoTime(turn.intent.beganAtMs);
  return [{ ...inbox, status: 'delivered', turn: turn.number, at }];
}

async function toldClients({ audit }: Needs, task: EndedTask): Promise<readonly Told[]> {
  const { items } = await audit.list(task.owner, { limit: pageLimitMax }, task.taskId);
  return items
    .flatMap(({ kind, atMs }): readonly Told[] =>
      kind === 'notified' ? [{ to: 'mcp', status: 'delivered', at: isoTime(atMs) }] : [],
    )
    .toReversed();
}
