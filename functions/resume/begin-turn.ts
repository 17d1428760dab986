import { nextStep, type Drain } from '../core/drain.ts';
import { thresholdsIn } from '../core/offer.ts';
import type { QuickResponse, Turn } from '../core/turn.ts';
import { sessionHistory } from '../sessions/session-history.ts';
import { keepPart } from '../sessions/stored-turn.ts';
import { buildIntent } from './build-intent.ts';
import { runTurn } from './run-turn.ts';
import { refuseIllegal } from './speak.ts';
import { again, type Found, type ResumeNeeds, type Step } from './step.ts';

type BegunStep = Step | { readonly kind: 'paused' };

/** Begin the next turn if there is a reason to speak: what it consumes is stored before the model is paid. */
export async function beginTurn(
  ports: ResumeNeeds,
  found: Found,
  quick: readonly QuickResponse[],
): Promise<BegunStep> {
  const { look, offer } = found;
  const next = nextStep({
    policy: look.session.policy,
    last: look.turns.at(-1),
    inputs: look.inputs,
    tasks: look.tasks,
    nowMs: ports.clock.nowMs(),
    thresholdsOf: (tool) => thresholdsIn(offer, tool),
  });
  if (next.kind === 'rest') return { kind: 'rest' };
  if (next.kind === 'turn') return takeNumber(ports, found, { drain: next.drain, quick });
  await ports.clock.sleep(next.untilMs - ports.clock.nowMs());
  return { kind: 'paused' };
}

async function takeNumber(
  ports: ResumeNeeds,
  found: Found,
  { drain, quick }: { readonly drain: Drain; readonly quick: readonly QuickResponse[] },
): Promise<Step> {
  const { look, offer, resumer } = found;
  const { session } = look;
  const model = await ports.model(session.model);
  const nowMs = ports.clock.nowMs();
  const intent = await buildIntent(ports, { look, drain, quick, profile: model.profile, nowMs });
  const turn: Turn = {
    number: (look.turns.at(-1)?.number ?? 0) + 1,
    claim: { fence: 1, untilMs: nowMs + ports.settings.claimMs, token: resumer.token },
    intent,
    reply: undefined,
    quick: undefined,
  };
  refuseIllegal(sessionHistory(look, offer, turn), model);
  const stored = await keepPart(ports, session.owner, intent);
  const record = { ...turn, intent: stored, reply: undefined, quick: undefined };
  const isMine =
    (await ports.sessions.putTurn(session, record)) || (await wasMe(ports, found, turn));
  // A loser starts over from the truth.
  return isMine ? runTurn(ports, found, turn) : again;
}

/** Refused is not failed: the put may have been ours, and only its answer was lost. */
async function wasMe(ports: ResumeNeeds, { look, resumer }: Found, turn: Turn): Promise<boolean> {
  const found = await ports.sessions.getTurn(look.session, turn.number);
  return found !== undefined && !found.reply && found.claim.token === resumer.token;
}
