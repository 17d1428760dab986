import { describe, expect, it } from 'vitest';
import type { SessionStore } from '../../functions/ports.ts';
import { resume } from '../../functions/resume/resume.ts';
import { chanceFrom } from '../simulation/chance.ts';
import { talk, type Talk } from './talk.ts';

/** A thousand races: the sessions stay short so that the time goes into them. */
const sessions = 20;
const rounds = 50;

/** Every answer of the store comes a little later, in an order of chance. */
function jittery(store: SessionStore, jitter: () => Promise<void>): SessionStore {
  return new Proxy(store, {
    get:
      (target, name: keyof SessionStore) =>
      async (...given: unknown[]) => {
        await jitter();
        const act = target[name] as (...all: unknown[]) => Promise<unknown>;
        const answer = await act(...given);
        await jitter();
        return answer;
      },
  });
}

/** Two resumers hear the same words at the same time. */
async function race({ house }: Talk): Promise<void> {
  const { ports, clock } = house;
  const [ring] = await ports.resumes.receive(1, 0);
  if (!ring) throw new Error('Nobody rang.');
  const hear = () => resume(ports, ring, clock.nowMs() + 600_000);
  const over = new AbortController();
  void Promise.all([hear(), hear()]).then(() => over.abort());
  while (!over.signal.aborted) await clock.advance(100);
  await ring.remove();
  // Whoever met the other's claim has sent a copy that comes back when the claim is over.
  for (const copy of await ports.resumes.receive(10, 0)) await copy.remove();
}

/** So many races in one session. */
async function raceOften(seed: number): Promise<Talk> {
  const chance = chanceFrom(seed);
  let isRacing = false;
  const jitter = async () => {
    if (isRacing) await talking.house.clock.sleep(chance.between(0, 12));
  };
  const talking: Talk = await talk({
    speaksMs: 300,
    policy: { debounceMs: 0 },
    wrapSessions: (store) => jittery(store, jitter),
  });
  for (let round = 0; round < rounds; round += 1) {
    await talking.say(`words ${round}`, `input_${round}`);
    isRacing = true;
    await race(talking);
    isRacing = false;
  }
  return talking;
}

describe('two resumers racing for one session', () => {
  it(`never overlap, lose or double anything in ${sessions * rounds} rounds`, async () => {
    for (let seed = 1; seed <= sessions; seed += 1) {
      const { turns, overlap, requests } = await raceOften(seed);
      const made = await turns();
      const heard = made.flatMap(({ intent }) => intent.inputs.map(({ inputId }) => inputId));
      expect(heard).toEqual(Array.from({ length: rounds }, (_, round) => `input_${round}`));
      expect(overlap.most).toBe(1);
      expect(requests.length / made.length).toBeLessThanOrEqual(1.05);
    }
  });
});
