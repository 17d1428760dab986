import { turnsPage } from '../core/limits.ts';
import type { SessionKey } from '../core/session.ts';
import type { EndedTask } from '../core/task.ts';
import type { Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurn, decodeTurns } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'objects'>;

/** Clocks of two functions may be this far apart. */
const skewMs = 60_000;

/**
 * The turn that took a task's end out of its session's inbox; none while it still waits there. Turns stand in
 * the order of their times, so even in a long session it is found in a few reads.
 */
export async function turnThatTold(ports: Needs, task: EndedTask): Promise<Turn | undefined> {
  const { owner, caller, taskId, state } = task;
  if (caller.kind !== 'session') return undefined;
  const key = { owner, sessionId: caller.sessionId };
  const before = await lastBefore(ports, key, state.endedAtMs - skewMs);
  const records = await ports.sessions.turnsAfter(key, before, turnsPage);
  const turns = await decodeTurns(ports, records);
  return turns.find(({ intent }) =>
    intent.deliveries.some((news) => news.kind === 'end' && news.taskId === taskId),
  );
}

/** Number of the last turn that began before a time. */
async function lastBefore(ports: Needs, key: SessionKey, atMs: number): Promise<number> {
  const [last] = await ports.sessions.lastTurns(key, 1);
  let [from, to] = [0, last?.number ?? 0];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    const record = await ports.sessions.getTurn(key, middle);
    const turn = record && (await decodeTurn(ports, record));
    if (turn && turn.intent.beganAtMs < atMs) from = middle;
    else to = middle - 1;
  }
  return from;
}
