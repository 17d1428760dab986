import { ok, refuse, type Result } from '../core/result.ts';
import type { Session, SessionKey } from '../core/session.ts';
import type { Ports } from '../ports.ts';

export async function findSession(
  { sessions }: Pick<Ports, 'sessions'>,
  key: SessionKey,
): Promise<Result<Session>> {
  const session = await sessions.get(key);
  return session ? ok(session) : refuse({ reason: 'session_not_found' });
}
