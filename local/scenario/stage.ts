import { demoSpeaker } from '../../functions/adapters/scripted-demo.ts';
import { scriptedModel } from '../../functions/adapters/scripted-model.ts';
import { scriptSpeaker } from '../../functions/adapters/scripted-script.ts';
import { createApp } from '../../functions/api/app.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { asOwner, asSessionId } from '../../functions/core/ids.ts';
import type { Model } from '../../functions/core/model.ts';
import type { SessionKey } from '../../functions/core/session.ts';
import { demoMemoryHouse, type MemoryHouse } from '../memory-house.ts';
import { startProblem } from '../start-problem.ts';
import { virtualClock } from '../virtual-clock.ts';
import type { ReadScenario } from './read-scenario.ts';

/** The whole house in memory with one session in it, and a door to speak through. */
export interface Stage {
  readonly house: MemoryHouse;
  readonly session: SessionKey;
  readonly startMs: number;
  /** How often the model was asked. */
  readonly requests: { count: number };
  readonly ask: Ask;
}

export interface Answer {
  readonly status: number;
  readonly json: AnswerBody;
}

/** What may stand in an answer, as far as a scenario looks at it. */
interface AnswerBody {
  readonly outcome?: string;
  readonly received?: number;
  readonly expected?: number;
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export type Ask = (path: string, body?: unknown, token?: string) => Promise<Answer>;

/** A day that is over before anybody's deadline has to be thought of. */
const startMs = Date.UTC(2026, 0, 1);
/** Always the same, so that a scenario is: what a session makes has ids that derive from its own. */
const sessionId = asSessionId(`sess_${'scenario'.padEnd(32, '0')}`);

export async function setStage(
  { script, session }: Pick<ReadScenario, 'script' | 'session'>,
  deliverTwice: boolean,
): Promise<Stage> {
  const clock = virtualClock(startMs);
  const requests = { count: 0 };
  const speaker = script ? scriptSpeaker(script) : demoSpeaker();
  const model = counting(scriptedModel('scripted', speaker, clock), requests);
  const house = demoMemoryHouse({ model, clock, deliverTwice });
  const ask = askOf(house);
  const made = await ask('/v1/sessions', session);
  if (made.status !== 201) throw startProblem(`The session was refused: ${problemOf(made)}.`);
  return { house, session: { owner: asOwner('dev'), sessionId }, startMs, requests, ask };
}

const counting = (model: Model, requests: { count: number }): Model => ({
  ...model,
  generate(request) {
    requests.count += 1;
    return model.generate(request);
  },
});

/** As a client on this machine asks, but without a port. */
function askOf({ ports }: MemoryHouse): Ask {
  const app = createApp({ ...ports, newSessionId: () => sessionId }, loopbackAuth);
  return async (path, body, token) => {
    const response = await app.request(path, {
      method: 'POST',
      headers: {
        host: 'localhost',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as AnswerBody;
    return { status: response.status, json };
  };
}

/** A problem in its own words, with its first flaw. */
export function problemOf({ json }: Answer): string {
  const { code = 'an answer without a code', detail = code, errors: [flaw] = [] } = json;
  const where = flaw ? `: ${flaw.path} ${flaw.message}` : '';
  return `${detail.replace(/\.$/, '')}${where}`;
}
