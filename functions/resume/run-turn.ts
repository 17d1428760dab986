import { callMark, type UsedIds } from '../core/call-id.ts';
import { backoffMsMax } from '../core/limits.ts';
import type { ModelOutcome } from '../core/model.ts';
import { cutReply, replyOf, turnsInRow } from '../core/reply.ts';
import { callsOf, isQuick, type Reply, type Turn } from '../core/turn.ts';
import { identityOf } from '../sessions/start-call.ts';
import { keepPart } from '../sessions/stored-turn.ts';
import { compactIfLong } from './compact-session.ts';
import { speak, type Spoken } from './speak.ts';
import { again, type Found, type ResumeNeeds, type Step } from './step.ts';

/** Ask the model for a turn that is ours, and add its reply under our fence. */
export async function runTurn(ports: ResumeNeeds, found: Found, turn: Turn): Promise<Step> {
  const { look, offer, resumer } = found;
  const model = await ports.model(look.session.model);
  const spoken = await speak(ports, { look, turn, offer, model, resumer });
  if (spoken.kind === 'said' && spoken.outcome.kind === 'busy') {
    return putOff(ports, found, turn, spoken.outcome);
  }
  const reply = replyFrom(ports, found, { turn, spoken, model: model.name });
  await addReply(ports, found, turn, reply);
  return again;
}

/** The model cannot answer now: the turn is let go, and a later ring takes it over with the same intent. */
async function putOff(
  ports: ResumeNeeds,
  { look }: Found,
  turn: Turn,
  { afterMs, detail }: Extract<ModelOutcome, { kind: 'busy' }>,
): Promise<Step> {
  const nowMs = ports.clock.nowMs();
  ports.log('warn', 'model busy', { sessionId: look.session.sessionId, afterMs, detail });
  const { fence } = turn.claim;
  await ports.sessions.renewTurn(look.session, turn.number, fence, nowMs);
  // Each try is a takeover, so the fence tells how often it was tried.
  const backoffMs = Math.min(backoffMsMax, 1000 * 2 ** (fence - 1));
  return { kind: 'later', atMs: nowMs + Math.max(backoffMs, afterMs) };
}

interface Answered {
  readonly turn: Turn;
  readonly spoken: Spoken;
  readonly model: string;
}

function replyFrom(ports: ResumeNeeds, found: Found, { turn, spoken, model }: Answered): Reply {
  const atMs = ports.clock.nowMs();
  if (spoken.kind === 'cut') return cutReply(turn, spoken.by, { model, atMs, text: spoken.text });
  const { outcome } = spoken;
  if (outcome.kind !== 'reply') {
    const { sessionId } = found.look.session;
    ports.log('warn', 'model refused', { sessionId, detail: outcome.detail });
    return cutReply(turn, 'refused', { model, atMs, text: '', detail: outcome.detail });
  }
  const { look, offer } = found;
  const { owner, policy } = look.session;
  return replyOf(outcome.reply, {
    turn,
    offer,
    model,
    atMs,
    usedCallIds: usedIn(found),
    turnsInRow: turnsInRow([...look.turns.filter(({ number }) => number < turn.number), turn]),
    turnsMax: policy.turnsMax,
    taskIdFor: ({ callId, tool }) =>
      ports.newTaskId({ owner, tool, key: identityOf(look.session, turn.number, callId) }),
  });
}

/** Ids that a call of the session or an open one has; a model that repeats one gets another on the wire. */
function usedIn({ look }: Found): UsedIds {
  const inTurns = look.turns.flatMap((turn) => callsOf(turn).map(({ callId }) => callId));
  const open = look.turns.at(-1)?.intent.open.map(({ callId }) => callId) ?? [];
  const known = new Set<string>([...inTurns, ...open]);
  const before = new Set(look.snapshot?.callMarks);
  return { has: (id) => known.has(id) || before.has(callMark(id)) };
}

/** Refused means that another took the turn over: the next look shows what it made of it. */
async function addReply(ports: ResumeNeeds, found: Found, turn: Turn, reply: Reply): Promise<void> {
  const { session } = found.look;
  const hasQuick = reply.calls.some(isQuick);
  const untilMs = hasQuick ? ports.clock.nowMs() + ports.settings.claimMs : 0;
  const stored = await keepPart(ports, session.owner, reply);
  const { fence } = turn.claim;
  const added = await ports.sessions.addReply(session, turn.number, {
    fence,
    reply: stored,
    untilMs,
  });
  if (!added) return ports.log('warn', 'reply refused', { sessionId: session.sessionId });
  ports.log('info', 'turn ended', { sessionId: session.sessionId, turn: turn.number });
  await compactIfLong(ports, found, { ...turn, reply });
}
