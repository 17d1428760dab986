import type { Entry } from '../core/entry.ts';
import { renderHistory } from '../core/history.ts';
import { offersLongRunning, type Offer } from '../core/offer.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionLook } from './look-at-session.ts';

/** The history of a session as its model is shown it: up to a turn that has begun, or all of it. */
export function sessionHistory(
  { session, snapshot, turns }: SessionLook,
  offer: Offer,
  begun?: Turn,
): readonly Entry[] {
  const after = session.snapshot?.turn ?? 0;
  const before = turns.filter(({ number }) => !begun || number < begun.number);
  return renderHistory({
    system: session.system,
    longRunning: offersLongRunning(offer),
    createdAtMs: session.createdAtMs,
    snapshot: snapshot?.entries,
    covered: before.find(({ number }) => number === after),
    turns: [...before.filter(({ number }) => number > after), ...(begun ? [begun] : [])],
  });
}
