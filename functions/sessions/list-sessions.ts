import type { Owner } from '../core/ids.ts';
import type { PageRequest, Ports } from '../ports.ts';
import { viewReadSession, type SessionView } from './view-session.ts';

type Needs = Pick<Ports, 'sessions' | 'tasks' | 'objects' | 'clock'>;

/** A session without its calls, which a list does not show. */
type SessionSummary = Pick<SessionView, 'session_id' | 'status' | 'turns' | 'created_at'>;

export interface SessionPage {
  readonly items: readonly SessionSummary[];
  readonly cursor?: string;
}

/** An owner's sessions, newest first. */
export async function listSessions(
  ports: Needs,
  owner: Owner,
  request: PageRequest,
): Promise<SessionPage> {
  const { items, cursor } = await ports.sessions.list(owner, request);
  const views = await Promise.all(items.map((session) => viewReadSession(ports, session)));
  return { items: views.map(summarize), ...(cursor === undefined ? {} : { cursor }) };
}

const summarize = ({ session_id, status, turns, created_at }: SessionView): SessionSummary => ({
  session_id,
  status,
  turns,
  created_at,
});
