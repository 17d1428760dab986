import { waitsForTask } from '../core/drain.ts';
import { isSettled } from '../core/session-status.ts';
import type { Turn } from '../core/turn.ts';
import { lookAtSession } from '../sessions/look-at-session.ts';
import { decodeTurn, keepPart } from '../sessions/stored-turn.ts';
import { beginTurn } from './begin-turn.ts';
import { runQuickCalls } from './quick-calls.ts';
import { runTurn } from './run-turn.ts';
import { startCalls } from './start-calls.ts';
import { again, type Found, type ResumeNeeds, type Step } from './step.ts';

/** Do the next thing a session needs; then it is looked at again. */
export async function advance(ports: ResumeNeeds, found: Found, sendAgain: boolean): Promise<Step> {
  const last = found.look.turns.at(-1);
  // Calls start only after the reply that made them is stored.
  if (last?.reply) await startCalls(ports, found, sendAgain);
  if (!last || isSettled(last)) return beginOrLookAgain(ports, found);
  const held = await hold(ports, found, last);
  if ('kind' in held) return held;
  return held.turn.reply ? answerQuickCalls(ports, found, held) : runTurn(ports, found, held.turn);
}

/** What was typed during a pause is found by the next look. */
async function beginOrLookAgain(ports: ResumeNeeds, found: Found): Promise<Step> {
  const step = await beginTurn(ports, found, []);
  return step.kind === 'paused' ? again : step;
}

interface Held {
  readonly turn: Turn;
  /** Whoever held it before has died; what it did is not known. */
  readonly tookOver: boolean;
}

/** A turn that another holds is left alone until the claim ends; a dead one's is taken over. */
async function hold(ports: ResumeNeeds, found: Found, turn: Turn): Promise<Held | Step> {
  const { resumer, look } = found;
  const nowMs = ports.clock.nowMs();
  const { untilMs, token, fence } = turn.claim;
  if (untilMs > nowMs && token === resumer.token) return { turn, tookOver: false };
  if (untilMs > nowMs) return { kind: 'later', atMs: untilMs };
  const claim = { untilMs: nowMs + ports.settings.claimMs, token: resumer.token };
  const taken = await ports.sessions.takeTurn(look.session, turn.number, { fence, nowMs, claim });
  if (!taken) return again;
  return { turn: await decodeTurn(ports, taken), tookOver: true };
}

/**
 * Run the quick calls of a reply. When other calls of it are pending the session may rest for days, so
 * the responses are kept with the turn; otherwise they travel in the next intent, which follows at once.
 */
async function answerQuickCalls(
  ports: ResumeNeeds,
  found: Found,
  { turn, tookOver }: Held,
): Promise<Step> {
  const { look, offer } = found;
  const { session, turns } = look;
  const { signal } = new AbortController();
  const run = { key: session, turn, turns, offer, signal, again: tookOver };
  const responses = await runQuickCalls(ports, run);
  if (!waitsForTask(turn)) return goOnWith(ports, found, responses);
  const quick = await keepPart(ports, session.owner, responses);
  const { fence } = turn.claim;
  await ports.sessions.addQuick(session, turn.number, { fence, quick });
  return again;
}

/**
 * Looked at anew: a quick call may have ended a task, and the user may have spoken meanwhile; both belong
 * into the same turn. While the user is typing the responses wait here.
 */
async function goOnWith(
  ports: ResumeNeeds,
  found: Found,
  responses: Parameters<typeof beginTurn>[2],
): Promise<Step> {
  for (;;) {
    const look = await lookAtSession(ports, found.look.session);
    if (!look) return { kind: 'rest' };
    const step = await beginTurn(ports, { ...found, look }, responses);
    if (step.kind !== 'paused') return step;
  }
}
