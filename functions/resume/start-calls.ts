import type { Offer } from '../core/offer.ts';
import { hasEnded } from '../core/task.ts';
import { admitted } from '../core/task-news.ts';
import { openCallsAfter, type OpenCall } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';
import { startOfCall } from '../sessions/start-call.ts';
import { startOwnTask, startTask } from '../tasks/start-task.ts';
import type { Found } from './step.ts';

type Needs = Pick<
  Ports,
  'tasks' | 'objects' | 'work' | 'tools' | 'clock' | 'newTaskId' | 'sessions'
>;

/**
 * Start every call that may run and has no task yet. Starting twice finds the same task. When this ring
 * was delivered before, its first holder may have died between the put and the send: what was never
 * claimed is sent again, and so is what was put while it waited and did not end.
 */
export async function startCalls(
  ports: Needs,
  { look, offer }: Pick<Found, 'look' | 'offer'>,
  sendAgain: boolean,
): Promise<void> {
  const { session, turns, tasks } = look;
  const calls = admitted(openCallsAfter(turns.at(-1)), tasks, session.policy.slots);
  const due = calls.filter(({ taskId }) => {
    const task = tasks.get(taskId);
    return !task || ((sendAgain || task.unsent) && task.claim.fence === 0);
  });
  await Promise.all(due.map((call) => startOne(ports, look, { open: call, offer })));
}

async function startOne(
  ports: Needs,
  look: SessionLook,
  { open, offer }: { readonly open: OpenCall; readonly offer: Offer },
): Promise<void> {
  const { session, turns } = look;
  const freeAtMs = lastEndOf(look);
  const request = await startOfCall(ports, { session, turns, call: open, freeAtMs });
  const isOwn = offer.get(open.tool)?.kind === 'own';
  const started = await (isOwn ? startOwnTask(ports, request) : startTask(ports, request));
  if (!started.ok) throw new Error(`A call of a session was refused: ${started.failure.reason}.`);
}

/** Read from the tasks, not from a clock: a start derives from stored facts alone. */
const lastEndOf = ({ tasks }: SessionLook): number =>
  Math.max(0, ...[...tasks.values()].map((task) => (hasEnded(task) ? task.state.endedAtMs : 0)));
