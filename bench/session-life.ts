import { policyDefault, type Policy, type Session } from '../functions/core/session.ts';
import { asOwner } from '../functions/core/ids.ts';
import type { Entry } from '../functions/core/entry.ts';
import type { Model, ModelReply, ModelTool } from '../functions/core/model.ts';
import { profileFor } from '../functions/core/profile.ts';
import { resume } from '../functions/resume/resume.ts';
import { takeInput } from '../functions/sessions/take-input.ts';
import type { Received } from '../functions/ports.ts';
import type { MeasuredHouse, MeasuredPorts } from './life.ts';

/** What one request to a model held, and when it began. */
export interface SeenRequest {
  readonly entries: readonly Entry[];
  readonly tools: readonly ModelTool[];
  readonly beganAt: number;
}

/** A model of known words that takes no time, so that what is measured is ours. */
export function measuredModel(say: (request: SeenRequest, count: number) => Partial<ModelReply>) {
  const requests: SeenRequest[] = [];
  const model: Model = {
    name: 'measured',
    profile: profileFor('anthropic', 'claude-measured'),
    async generate({ entries, tools }) {
      const request = { entries, tools, beganAt: performance.now() };
      requests.push(request);
      const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
      const said = say(request, requests.length);
      return { kind: 'reply', reply: { text: 'Understood.', calls: [], usage, ...said } };
    },
  };
  return { model, requests };
}

interface MeasuredSession {
  readonly session: Session;
  say(text: string): Promise<void>;
  /** Receive a ring, resume, delete: what the event source mapping does. */
  resumeOnce(): Promise<void>;
  /** The same until nobody rings. */
  resumeAll(): Promise<void>;
  readonly hear: (ring: Received) => Promise<void>;
}

export async function measuredSession(
  { ports, nextRing, rings }: Pick<MeasuredHouse, 'ports' | 'nextRing' | 'rings'>,
  model: Model,
  {
    system = '',
    policy = {},
  }: { readonly system?: string; readonly policy?: Partial<Policy> } = {},
): Promise<MeasuredSession> {
  const session = sessionFor(ports, system, policy);
  await ports.sessions.create(session);
  const all = { ...ports, model: async () => model };
  const hear = async (ring: Received) => {
    const verdict = await resume(all, ring, ports.clock.nowMs() + 900_000);
    if (verdict === 'done') await ring.remove();
  };
  return {
    session,
    async say(text) {
      const taken = await takeInput(ports, session, { text });
      if (!taken.ok) throw new Error(taken.failure.reason);
    },
    resumeOnce: async () => hear(await nextRing()),
    async resumeAll() {
      for (let ring = await rings(); ring.length > 0; ring = await rings()) {
        for (const one of ring) await hear(one);
      }
    },
    hear,
  };
}

const sessionFor = (ports: MeasuredPorts, system: string, policy: Partial<Policy>): Session => ({
  owner: asOwner('bench'),
  sessionId: ports.newSessionId(),
  createdAtMs: ports.clock.nowMs(),
  system,
  model: undefined,
  tools: undefined,
  ownTools: [],
  webhookUrl: undefined,
  policy: { ...policyDefault, debounceMs: 0, ...policy },
  snapshot: undefined,
});
