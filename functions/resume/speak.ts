import { illegalities } from '../core/legality.ts';
import type { Entry } from '../core/entry.ts';
import type { Model, ModelOutcome } from '../core/model.ts';
import { modelTools, type Offer } from '../core/offer.ts';
import type { Session } from '../core/session.ts';
import type { Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';
import { sessionHistory } from '../sessions/session-history.ts';
import type { Resumer } from './step.ts';

type Needs = Pick<Ports, 'sessions' | 'clock' | 'signals' | 'live' | 'settings' | 'log'>;

interface Speaking {
  readonly look: SessionLook;
  /** The turn whose intent is stored and held by us. */
  readonly turn: Turn;
  readonly offer: Offer;
  readonly model: Model;
  readonly resumer: Resumer;
}

export type Spoken =
  | { readonly kind: 'said'; readonly outcome: ModelOutcome }
  /** The user cut in; what had been said by then. */
  | { readonly kind: 'cut'; readonly by: 'interrupted' | 'merged'; readonly text: string };

/** An illegal history is never stored or sent. */
export function refuseIllegal(entries: readonly Entry[], { profile }: Model): void {
  const [flaw] = illegalities(entries, profile);
  if (flaw !== undefined) throw new Error(`An illegal history was about to be sent: ${flaw}`);
}

/** Ask the model once, while the turn is kept ours and, where the policy says so, the user may cut in. */
export async function speak(ports: Needs, speaking: Speaking): Promise<Spoken> {
  const { look, turn, offer, model } = speaking;
  const over = new AbortController();
  const cutting = new AbortController();
  let text = '';
  const watching = Promise.all([
    keepHold(ports, speaking, over.signal),
    listenForUser(ports, speaking, cutting, over.signal),
  ]);
  try {
    const outcome = await model.generate({
      entries: sessionHistory(look, offer, turn),
      tools: modelTools(offer),
      signal: cutting.signal,
      onText(piece) {
        text += piece;
        ports.live.say(look.session, turn.number, piece);
      },
    });
    if (!cutting.signal.aborted) return { kind: 'said', outcome };
    const isMerge = look.session.policy.doubleText === 'merge';
    return isMerge
      ? { kind: 'cut', by: 'merged', text: '' }
      : { kind: 'cut', by: 'interrupted', text };
  } finally {
    over.abort();
    await watching;
  }
}

/** A model may take longer than a claim lasts; the ring comes back soon after the claim of a dead holder. */
async function keepHold(ports: Needs, speaking: Speaking, over: AbortSignal): Promise<void> {
  const { look, turn, resumer } = speaking;
  const { claimMs } = ports.settings;
  for (let first = true; ; first = false) {
    try {
      await resumer.delivery.hide(claimMs);
      const untilMs = ports.clock.nowMs() + claimMs;
      if (!first)
        await ports.sessions.renewTurn(look.session, turn.number, turn.claim.fence, untilMs);
    } catch {
      // The claim still has half its time; a lost one is found out when the reply is added.
      ports.log('warn', 'turn not renewed', { sessionId: look.session.sessionId });
    }
    await ports.clock.sleep(claimMs / 2, over);
    if (over.aborted) return;
  }
}

const listenEveryMs = 1000;

/** Only two policies let the user cut in; the others save the reads. */
async function listenForUser(
  ports: Needs,
  { look: { session }, turn }: Speaking,
  cutting: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { doubleText } = session.policy;
  if (doubleText !== 'merge' && doubleText !== 'interrupt') return;
  while (!over.aborted) {
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    over.addEventListener('abort', stop);
    await Promise.race([
      ports.signals.next(session.sessionId, waiting.signal),
      ports.clock.sleep(listenEveryMs, waiting.signal),
    ]);
    over.removeEventListener('abort', stop);
    stop();
    if (over.aborted) return;
    if (await hasSpoken(ports, session, turn)) return cutting.abort();
  }
}

async function hasSpoken(ports: Needs, session: Session, turn: Turn): Promise<boolean> {
  try {
    const [newest] = await ports.sessions.lastInputs(session, 1);
    return newest !== undefined && newest.number > turn.intent.inputsThrough;
  } catch {
    // Looked at again in a moment; a reply is not thrown away for a read that failed.
    ports.log('warn', 'inputs not read', { sessionId: session.sessionId });
    return false;
  }
}
