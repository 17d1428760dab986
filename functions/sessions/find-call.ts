import type { CallId } from '../core/ids.ts';
import { turnsTail } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { Session, SessionKey } from '../core/session.ts';
import { callsOf, openCallsAfter, type OpenCall, type Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurns } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'objects'>;

/** A long-running call, and where it stands. */
export type PlacedCall = Pick<OpenCall, 'callId' | 'taskId' | 'tool' | 'turn' | 'index'>;

export interface FoundCall {
  readonly session: Session;
  readonly call: PlacedCall;
  /** No turn has consumed its end. */
  readonly isOpen: boolean;
}

/** Find a call by the model's id: among the open ones, or among those that have ended. */
export async function findCall(
  ports: Needs,
  key: SessionKey,
  callId: CallId,
): Promise<Result<FoundCall>> {
  const [session, records] = await Promise.all([
    ports.sessions.get(key),
    ports.sessions.lastTurns(key, 1),
  ]);
  if (!session) return refuse({ reason: 'session_not_found' });
  const [last] = await decodeTurns(ports, records);
  const open = openCallsAfter(last).find((call) => call.callId === callId);
  if (open) return ok({ session, call: open, isOpen: true });
  const made = await findMade(ports, key, callId, last?.number ?? 0);
  return made ? ok({ session, call: made, isOpen: false }) : refuse({ reason: 'call_not_found' });
}

/** From the newest turn back. Only who repeats itself long after, or asks for what never was, reads far. */
async function findMade(
  ports: Needs,
  key: SessionKey,
  callId: CallId,
  newest: number,
): Promise<PlacedCall | undefined> {
  for (let through = newest; through > 0; through -= turnsTail) {
    const from = Math.max(0, through - turnsTail);
    const records = await ports.sessions.turnsAfter(key, from, through - from);
    const turns = await decodeTurns(ports, records);
    const made = turns.flatMap(callsMade).findLast((call) => call.callId === callId);
    if (made) return made;
  }
  return undefined;
}

const callsMade = (turn: Turn): readonly PlacedCall[] =>
  callsOf(turn).flatMap(({ callId, taskId, tool }, index) =>
    taskId === undefined ? [] : [{ callId, taskId, tool, turn: turn.number, index }],
  );
