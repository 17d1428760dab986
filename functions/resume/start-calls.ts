import type { Offer } from '../core/offer.ts';
import { hasEnded } from '../core/task.ts';
import { admitted } from '../core/task-news.ts';
import { openCallsAfter, type Call, type OpenCall } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';
import { decodeTurn } from '../sessions/stored-turn.ts';
import { startOwnTask, startTask } from '../tasks/start-task.ts';
import { identityOf } from './quick-calls.ts';
import type { Found } from './step.ts';

type Needs = Pick<
  Ports,
  'tasks' | 'objects' | 'work' | 'tools' | 'clock' | 'newTaskId' | 'sessions'
>;

/**
 * Start every call that may run and has no task yet. Starting twice finds the same task. When this ring
 * was delivered before, its first holder may have died between the put and the send: what was never
 * claimed is sent again.
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
    return !task || (sendAgain && task.claim.fence === 0);
  });
  await Promise.all(due.map((call) => startOne(ports, look, { open: call, offer })));
}

async function startOne(
  ports: Needs,
  look: SessionLook,
  { open, offer }: { readonly open: OpenCall; readonly offer: Offer },
): Promise<void> {
  const { owner, sessionId } = look.session;
  const { call, atMs } = await callBehind(ports, look, open);
  const request = {
    owner,
    tool: open.tool,
    arguments: call.arguments,
    caller: { kind: 'session', sessionId, callId: open.callId } as const,
    identity: identityOf(look.session, open.turn, open.callId),
    createdAtMs: Math.max(atMs, lastEndOf(look)),
  };
  const isOwn = offer.get(open.tool)?.kind === 'own';
  const started = await (isOwn ? startOwnTask(ports, request) : startTask(ports, request));
  if (!started.ok) throw new Error(`A call of a session was refused: ${started.failure.reason}.`);
}

/** A start derives from stored facts alone: two starts of one call are the same to the byte. */
const lastEndOf = ({ tasks }: SessionLook): number =>
  Math.max(0, ...[...tasks.values()].map((task) => (hasEnded(task) ? task.state.endedAtMs : 0)));

/** The model's call, with its arguments; one that waited through a compaction is read once more. */
async function callBehind(
  ports: Needs,
  { session, turns }: SessionLook,
  { turn: number, index }: OpenCall,
): Promise<{ readonly call: Call; readonly atMs: number }> {
  const known = turns.find((turn) => turn.number === number);
  const record = known ? undefined : await ports.sessions.getTurn(session, number);
  const turn = known ?? (record && (await decodeTurn(ports, record)));
  const call = turn?.reply?.calls[index];
  if (!turn?.reply || !call) throw new Error('An open call stands in no reply.');
  return { call, atMs: turn.reply.atMs };
}
