import { restReasonOf } from '../core/session-status.ts';
import type { Session } from '../core/session.ts';
import { openCallsAfter, type Turn } from '../core/turn.ts';
import type { WebhookFact } from '../core/webhook-delivery.ts';
import type { Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';
import { webhookIdOf } from '../sessions/start-call.ts';
import { tellWebhooks } from '../tasks/tell-webhooks.ts';

type Needs = Pick<Ports, 'webhooks' | 'deliveries'>;

/** The ring may come from a clock that is a little ahead; a turn told twice is told once. */
const skewMs = 5_000;

/**
 * Tell of the turns after which the session rested. Done last, before the ring is deleted: whoever dies
 * earlier leaves a ring that comes back and finds the same turns.
 */
export async function tellTurns(
  ports: Needs,
  { session, turns }: SessionLook,
  sinceMs: number,
): Promise<void> {
  const facts = turns
    .filter(({ reply }) => reply !== undefined && reply.atMs >= sinceMs - skewMs)
    .flatMap((turn) => restFact(session, turn) ?? []);
  const told = { webhookId: webhookIdOf(session), heardSinceMs: sinceMs };
  await Promise.all(facts.map((fact) => tellWebhooks(ports, { fact, ...told })));
}

/** Nothing is told of a turn that the next one follows by itself. */
function restFact({ owner, sessionId }: Session, turn: Turn): WebhookFact | undefined {
  const { reply, number } = turn;
  const reason = restReasonOf(turn);
  if (!reply || reason === undefined) return undefined;
  const waiting = openCallsAfter(turn).map(({ callId }) => callId);
  return {
    owner,
    type: waiting.length > 0 ? 'session.input_required' : 'session.turn_completed',
    subject: `${sessionId}#${number}`,
    atMs: reply.atMs,
    data: {
      session_id: sessionId,
      status: statusWord(reason, waiting.length),
      turn: number,
      finish_reason: reason,
      ...(waiting.length > 0 ? { input_required_tool_ids: waiting } : {}),
    },
  };
}

const statusWord = (reason: string, waiting: number): string => {
  if (reason === 'error') return 'failed';
  return waiting > 0 ? 'input_required' : 'idle';
};
