import { asSessionId, isSessionId, type Owner } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { SessionKey } from '../core/session.ts';

/** What can be no id of ours is not found, like an id nobody has. */
export const sessionKey = (owner: Owner, id: string): Result<SessionKey> =>
  isSessionId(id)
    ? ok({ owner, sessionId: asSessionId(id) })
    : refuse({ reason: 'session_not_found' });
