import { callMarksAfter, compact, historyBytes, needsCompaction } from '../core/compaction.ts';
import { historyBytesMax } from '../core/limits.ts';
import type { Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { sessionHistory } from '../sessions/session-history.ts';
import { keepPart } from '../sessions/stored-turn.ts';
import type { Found } from './step.ts';

type Needs = Pick<Ports, 'sessions' | 'objects' | 'log'>;

/**
 * Write down the history of a session that has grown long, so that no later read goes back further than
 * this turn, whose calls are answered by the next.
 */
export async function compactIfLong(ports: Needs, found: Found, turn: Turn): Promise<void> {
  const { session } = found.look;
  const sinceSnapshot = turn.number - (session.snapshot?.turn ?? 0);
  const history = sessionHistory(found.look, found.offer, turn);
  if (!needsCompaction(sinceSnapshot, historyBytes(history))) return;
  const entries = compact(history, historyBytesMax);
  const callMarks = callMarksAfter(history, found.look.snapshot?.callMarks);
  const stored = await keepPart(ports, session.owner, { entries, callMarks });
  await ports.sessions.keepSnapshot(session, { turn: turn.number, history: stored });
  ports.log('info', 'session compacted', { sessionId: session.sessionId, turn: turn.number });
}
