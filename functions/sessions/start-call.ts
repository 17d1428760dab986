import type { Session, SessionKey } from '../core/session.ts';
import type { Call, Turn } from '../core/turn.ts';
import { urlEndpointId } from '../core/webhook.ts';
import type { Ports } from '../ports.ts';
import type { StartRequest } from '../tasks/start-task.ts';
import type { PlacedCall } from './find-call.ts';
import { decodeTurn } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'objects'>;

interface CallStart {
  readonly session: Session;
  /** Turns that have been read already. */
  readonly turns: readonly Turn[];
  readonly call: PlacedCall;
  /** When a slot became free for it. */
  readonly freeAtMs: number;
}

/** The start of a call's task. It derives from stored facts alone: two starts are the same to the byte. */
export async function startOfCall(ports: Needs, start: CallStart): Promise<StartRequest> {
  const { session, call, freeAtMs } = start;
  const { owner, sessionId } = session;
  const made = await callBehind(ports, start);
  return {
    owner,
    tool: call.tool,
    arguments: made.call.arguments,
    caller: { kind: 'session', sessionId, callId: call.callId },
    identity: identityOf(session, call.turn, call.callId),
    createdAtMs: Math.max(made.atMs, freeAtMs),
    webhookId: webhookIdOf(session),
    resultsMax: session.ownTools.find(({ name }) => name === call.tool)?.results,
  };
}

/** Its tasks are told to whom the session is told; the id derives from what is stored. */
export const webhookIdOf = ({ owner, webhookUrl }: Session): string | undefined =>
  webhookUrl === undefined ? undefined : urlEndpointId(owner, webhookUrl);

/** What makes a call of a session the same call: ids may repeat, so the turn belongs to it. */
export const identityOf = ({ sessionId }: SessionKey, turn: number, callId: string): string =>
  `${sessionId}/${turn}/${callId}`;

/** The model's call, with its arguments; one that waited through a compaction is read once more. */
async function callBehind(
  ports: Needs,
  { session, turns, call: { turn: number, index } }: CallStart,
): Promise<{ readonly call: Call; readonly atMs: number }> {
  const known = turns.find((turn) => turn.number === number);
  const record = known ? undefined : await ports.sessions.getTurn(session, number);
  const turn = known ?? (record && (await decodeTurn(ports, record)));
  const call = turn?.reply?.calls[index];
  if (!turn?.reply || !call) throw new Error('An open call stands in no reply.');
  return { call, atMs: turn.reply.atMs };
}
