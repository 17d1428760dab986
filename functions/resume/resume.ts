import { delayMsMax, functionMarginMs } from '../core/limits.ts';
import { offerOf } from '../core/offer.ts';
import { readRing, type Ring } from '../core/ring.ts';
import type { Delivery, Verdict } from '../ports.ts';
import { lookAtSession } from '../sessions/look-at-session.ts';
import { advance } from './advance.ts';
import type { ResumeNeeds, Resumer } from './step.ts';
import { tellTurns } from './tell-turns.ts';

/**
 * Wake one session and run turns until it rests. The ring is deleted only after a look that finds
 * nothing to do, so whatever arrived meanwhile has been seen; one that must wait is sent again first.
 */
export async function resume(
  ports: ResumeNeeds,
  delivery: Delivery,
  functionEndsAtMs: number,
): Promise<Verdict> {
  const read = readRing(delivery.body);
  if (read.kind !== 'ours') {
    ports.log('warn', 'ring left in the queue', { why: read.kind });
    return 'keep';
  }
  const ring = read.message;
  const notBeforeMs = ring.notBeforeMs ?? 0;
  if (notBeforeMs > ports.clock.nowMs()) return ringAgain(ports, ring, notBeforeMs);
  const endsAtMs = functionEndsAtMs - functionMarginMs;
  return runTurns(
    ports,
    { ring, wasDelivered: delivery.receives > 1 || ring.notBeforeMs !== undefined },
    { token: ports.newToken(), delivery, endsAtMs },
  );
}

interface Heard {
  readonly ring: Ring;
  /** An earlier holder of this ring may have died in the middle of its work. */
  readonly wasDelivered: boolean;
}

async function runTurns(ports: ResumeNeeds, heard: Heard, resumer: Resumer): Promise<Verdict> {
  const { ring } = heard;
  for (let sendAgain = heard.wasDelivered; ; sendAgain = false) {
    const look = await lookAtSession(ports, ring, ring.taskIds);
    if (!look) return 'done';
    const offer = offerOf(look.session, ports.tools);
    const step = await advance(ports, { look, offer, resumer }, sendAgain);
    ports.signals.raise(ring.sessionId);
    if (step.kind === 'rest') {
      await tellTurns(ports, look, ring.sentAtMs);
      return 'done';
    }
    if (step.kind === 'later') return ringAgain(ports, ring, step.atMs);
    if (ports.clock.nowMs() >= resumer.endsAtMs) return ringAgain(ports, ring, 0);
  }
}

/** Waiting is not failing: a copy is sent, so that no receive is counted, and it keeps its first time. */
async function ringAgain(
  ports: Pick<ResumeNeeds, 'resumes' | 'clock'>,
  ring: Ring,
  atMs: number,
): Promise<Verdict> {
  const waitMs = Math.max(0, atMs - ports.clock.nowMs());
  await ports.resumes.send([{ ...ring, notBeforeMs: atMs }], Math.min(waitMs, delayMsMax));
  return 'done';
}
