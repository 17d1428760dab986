import type { Entry } from '../../functions/core/entry.ts';
import type { Model, ModelOutcome, ModelReply, ModelRequest } from '../../functions/core/model.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { policyDefault, type Policy, type Session } from '../../functions/core/session.ts';
import type { Turn } from '../../functions/core/turn.ts';
import { lookAtSession } from '../../functions/sessions/look-at-session.ts';
import { decodeTurns } from '../../functions/sessions/stored-turn.ts';
import { takeInput } from '../../functions/sessions/take-input.ts';
import { alice, memoryHouse, type HouseOptions, type MemoryHouse } from '../house.ts';

type Said = Partial<ModelReply> | Exclude<ModelOutcome, { kind: 'reply' }>;

export interface TalkOptions extends HouseOptions {
  readonly policy?: Partial<Policy>;
  readonly ownTools?: Session['ownTools'];
  /** What the model says to each request, in order; the last one goes on being said. */
  readonly says?: readonly (Said | ((request: ModelRequest) => Said))[];
  /** How long it takes to say it. */
  readonly speaksMs?: number;
}

/** One session in a memory house, with a model whose words a test gives and whose requests it reads. */
export interface Talk {
  readonly house: MemoryHouse;
  readonly session: Session;
  readonly requests: readonly (readonly Entry[])[];
  /** How many requests were under way at once, at most. */
  readonly overlap: { most: number };
  readonly say: (text: string, inputId?: string) => Promise<void>;
  readonly turns: () => Promise<readonly Turn[]>;
  readonly look: () => ReturnType<typeof lookAtSession>;
}

export async function talk(options: TalkOptions = {}): Promise<Talk> {
  const requests: (readonly Entry[])[] = [];
  const overlap = { most: 0 };
  const model = speakingModel(options, requests, overlap, () => house);
  const house: MemoryHouse = memoryHouse({ ...options, model });
  const { ports } = house;
  const session: Session = {
    owner: alice,
    sessionId: ports.newSessionId(),
    createdAtMs: ports.clock.nowMs(),
    system: 'Be brief.',
    model: undefined,
    tools: undefined,
    ownTools: options.ownTools ?? [],
    webhookUrl: undefined,
    policy: { ...policyDefault, ...options.policy },
    snapshot: undefined,
  };
  await ports.sessions.create(session);
  return {
    house,
    session,
    requests,
    overlap,
    async say(text, inputId) {
      const taken = await takeInput(ports, session, { text, inputId });
      if (!taken.ok) throw new Error(`The input was refused: ${taken.failure.reason}.`);
    },
    turns: async () => decodeTurns(ports, await ports.sessions.turnsAfter(session, 0, 1000)),
    look: () => lookAtSession(ports, session),
  };
}

function speakingModel(
  { says = [], speaksMs = 0 }: TalkOptions,
  requests: (readonly Entry[])[],
  overlap: { most: number },
  house: () => MemoryHouse,
): Model {
  let under = 0;
  return {
    name: 'test',
    profile: profileFor('scripted', 'test'),
    async generate(request) {
      const next = says[Math.min(requests.length, says.length - 1)] ?? {};
      requests.push(request.entries);
      under += 1;
      overlap.most = Math.max(overlap.most, under);
      const said = typeof next === 'function' ? next(request) : next;
      if ('text' in said) request.onText(said.text.slice(0, 5));
      if (speaksMs > 0) await house().clock.sleep(speaksMs, request.signal);
      under -= 1;
      if ('kind' in said) return said;
      const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
      return { kind: 'reply', reply: { text: 'ok', calls: [], usage, ...said } };
    },
  };
}

export const call = (id: string, name = 'slow', args: unknown = {}) => ({
  id,
  name,
  arguments: args,
});

/** The roles of a request after its system entry, responses with their status. */
export const shapeOf = (entries: readonly Entry[] | undefined): readonly string[] =>
  (entries ?? []).slice(1).map((entry) => {
    if (entry.role === 'tool') return `${entry.callId} ${entry.status}`;
    if (entry.role === 'event') return `event ${entry.callId}`;
    return `${entry.role}: ${entry.text}`;
  });
