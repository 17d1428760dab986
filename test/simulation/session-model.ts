import type { Entry } from '../../functions/core/entry.ts';
import type { Model, ModelCall, ModelOutcome } from '../../functions/core/model.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { perform } from './effect.ts';
import type { Life } from './life.ts';
import { checkRequest } from './session-invariants.ts';
import type { Wish } from './session-plans.ts';
import { saw, type World } from './world.ts';

/** It forbids rewriting, like the strictest of them: what was sent once must be sent again. */
const profile = profileFor('anthropic', 'claude-simulated');

/** A model that does what it is asked, is slow, and sometimes is busy. Equal requests get equal replies. */
export const simulatedModel = (world: World, life: Life): Model => ({
  name: 'simulated',
  profile,
  generate: async ({ entries, signal }) => {
    checkRequest(world, entries, profile);
    world.sessions.requests += 1;
    const outcome = await perform(world, life, {
      name: 'ask model',
      apply: async () => answer(world, entries),
    });
    await pauseFor(
      world,
      life,
      world.chance.between(100, world.chance.pick([1_000, 20_000, 90_000])),
      signal,
    );
    return outcome;
  },
});

const pauseFor = (world: World, life: Life, ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      if (life.isAlive()) resolve();
    };
    const callOff = world.scheduler.after(ms, end);
    signal.addEventListener('abort', () => {
      callOff();
      end();
    });
  });

function answer(world: World, entries: readonly Entry[]): ModelOutcome {
  if (world.faultRate > 0 && world.chance.happens(0.03 * world.faultRate)) {
    saw(world, 'model was busy');
    return { kind: 'busy', afterMs: world.chance.between(1_000, 30_000), detail: 'overloaded' };
  }
  const calls = newWishes(entries).flatMap(({ calls: wished }) =>
    wished.map(({ id, tool, input }): ModelCall => ({ id, name: tool, arguments: input })),
  );
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  return { kind: 'reply', reply: { text: `heard ${entries.length}`, calls, usage } };
}

/** What the user said since the model last spoke. */
function newWishes(entries: readonly Entry[]): readonly Wish[] {
  const spoke = entries.findLastIndex(({ role }) => role === 'assistant');
  return entries
    .slice(spoke + 1)
    .flatMap((entry) => (entry.role === 'user' ? [wishIn(entry.text)] : []));
}

export const wishIn = (text: string): Wish => JSON.parse(text) as Wish;
