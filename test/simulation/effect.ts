import { never, type Life } from './life.ts';
import { saw, type FaultKind, type World } from './world.ts';

/** One thing a life asks of the world: it happens at one instant, or not at all. */
export interface Effect<T> {
  readonly name: string;
  apply(): Promise<T>;
}

type Answer<T> =
  | { readonly kind: 'reply'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'silence' };

type EffectFault = Exclude<FaultKind, 'duplicate' | 'delay' | 'reorder'>;

/** Shares of all effects at fault rate one. */
const shares: readonly (readonly [EffectFault, number])[] = [
  ['crash before', 0.004],
  ['crash after', 0.006],
  ['lost reply', 0.01],
  ['late effect', 0.006],
  ['throttle', 0.02],
  ['sent twice', 0.02],
];
const slowShare = 0.03;

/** Every port operation comes through here: delayed, struck by faults, applied, checked, answered. */
export function perform<T>(world: World, life: Life, effect: Effect<T>): Promise<T> {
  if (!life.isAlive()) return never();
  world.operations += 1;
  return new Promise<T>((resolve, reject) => {
    const answer = (given: Answer<T>) => {
      if (given.kind === 'silence') return;
      world.scheduler.after(latencyMs(world), () => {
        if (!life.isAlive()) return;
        if (given.kind === 'reply') resolve(given.value);
        else reject(given.error);
      });
    };
    world.scheduler.after(latencyMs(world), () => {
      void carryOut(world, life, effect).then(answer);
    });
  });
}

function drawFault(world: World): EffectFault | undefined {
  if (world.faultRate === 0) return undefined;
  return shares.find(([, share]) => world.chance.happens(share * world.faultRate))?.[0];
}

function latencyMs(world: World): number {
  const { chance, faultRate } = world;
  if (faultRate === 0 || !chance.happens(slowShare * faultRate)) return chance.between(1, 40);
  saw(world, 'slow');
  return chance.between(500, 8_000);
}

async function carryOut<T>(world: World, life: Life, effect: Effect<T>): Promise<Answer<T>> {
  // What was on the wire when its sender died may still arrive.
  if (!life.isAlive()) return world.chance.happens(0.5) ? unheard(world, life, effect) : silence;
  const fault = drawFault(world);
  if (!fault) return apply(world, life, effect);
  world.faults[fault] += 1;
  world.trace.note(`${life.name} ${fault}: ${effect.name}`);
  switch (fault) {
    case 'crash before':
      life.crash();
      return silence;
    case 'crash after':
      life.crash();
      return unheard(world, life, effect);
    case 'throttle':
      return { kind: 'error', error: new Error('throttled') };
    case 'lost reply':
      await apply(world, life, effect);
      return { kind: 'error', error: new Error('no reply') };
    case 'late effect': {
      const lateMs = world.chance.between(100, 90_000);
      world.scheduler.after(lateMs, () => void apply(world, life, effect));
      return { kind: 'error', error: new Error('no reply') };
    }
    // What an SDK does on its own when a reply is lost.
    case 'sent twice':
      await apply(world, life, effect);
      return apply(world, life, effect);
  }
}

const silence = { kind: 'silence' } as const;

async function unheard(world: World, life: Life, effect: Effect<unknown>): Promise<Answer<never>> {
  await apply(world, life, effect);
  return silence;
}

async function apply<T>(world: World, life: Life, effect: Effect<T>): Promise<Answer<T>> {
  world.trace.note(`${life.name} ${effect.name}`);
  try {
    return { kind: 'reply', value: await effect.apply() };
  } catch (error) {
    return { kind: 'error', error };
  }
}
