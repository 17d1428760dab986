import { inputsTail } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { ringFor } from '../core/ring.ts';
import type { Input, Session, SessionKey } from '../core/session.ts';
import type { Ports } from '../ports.ts';
import { decodeTurn } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'objects' | 'resumes' | 'clock' | 'newToken' | 'signals'>;

interface GivenInput {
  readonly text: string;
  readonly inputId?: string | undefined;
}

/**
 * Take what a user says. It is put under the next number if that is free, then the session is rung. The
 * same input id finds its input again and rings again: the first ring may never have been sent.
 */
export async function takeInput(
  ports: Needs,
  key: SessionKey,
  given: GivenInput,
): Promise<Result<Input>> {
  const session = await ports.sessions.get(key);
  if (!session) return refuse({ reason: 'session_not_found' });
  const taken = await putInput(ports, session, given);
  if (!taken.ok) return taken;
  await ports.resumes.send([ringFor(key, ports.clock.nowMs())]);
  ports.signals.raise(key.sessionId);
  return taken;
}

async function putInput(ports: Needs, session: Session, given: GivenInput): Promise<Result<Input>> {
  const inputId = given.inputId ?? `input_${ports.newToken()}`;
  for (;;) {
    const { tail, known } = await look(ports, session, given.inputId);
    if (known) return known.text === given.text ? ok(known) : conflict;
    if (session.policy.doubleText === 'reject' && (await isAnswering(ports, session, tail))) {
      return refuse({ reason: 'session_busy' });
    }
    const number = (tail.at(-1)?.number ?? 0) + 1;
    const input = { number, inputId, text: given.text, atMs: ports.clock.nowMs() };
    // Noted before it is put: whatever dies in between, an input that is there can be found by its id.
    if (given.inputId !== undefined) await ports.sessions.nameInput(session, inputId, number);
    // Refused means that another input took the number: look again and take the next.
    if (await ports.sessions.putInput(session, input)) return ok(input);
  }
}

/** The newest inputs, and the one that has this id already, however long ago it was said. */
async function look(ports: Needs, key: SessionKey, inputId: string | undefined) {
  const [tail, number] = await Promise.all([
    ports.sessions.lastInputs(key, inputsTail),
    inputId === undefined ? undefined : ports.sessions.namedInput(key, inputId),
  ]);
  const isKnown = (input: Input) => input.inputId === inputId;
  const recent = tail.find(isKnown);
  if (recent || number === undefined) return { tail, known: recent };
  // The number may have gone to another, or to nobody: only the input itself tells.
  const [noted] = await ports.sessions.inputsAfter(key, number - 1, 1);
  return { tail, known: noted && isKnown(noted) ? noted : undefined };
}

const conflict = refuse({ reason: 'idempotency_conflict' });

/** Whether the model is speaking, or about to because an input waits for it. */
async function isAnswering(
  ports: Needs,
  key: SessionKey,
  tail: readonly Input[],
): Promise<boolean> {
  const [record] = await ports.sessions.lastTurns(key, 1);
  if (!record?.reply) return record !== undefined || tail.length > 0;
  const { claim, intent } = await decodeTurn(ports, record);
  const waiting = (tail.at(-1)?.number ?? 0) > intent.inputsThrough;
  return waiting || claim.untilMs > ports.clock.nowMs();
}
