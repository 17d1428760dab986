import type { CiStore } from '../../functions/ports.ts';
import { perform } from './effect.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

/** The store of the memory adapter, seen by one life. */
export function faultyCiStore(world: World, life: Life): CiStore {
  const { ciStore } = world;
  const act = <T>(name: string, apply: () => Promise<T>) => perform(world, life, { name, apply });
  return {
    bind: (name, key) => act(`bind ${name}`, () => ciStore.bind(name, key)),
    find: (name) => act(`find ${name}`, () => ciStore.find(name)),
    take: (name, taker) => act(`take ${name}`, () => ciStore.take(name, taker)),
    advance: (name, to) => act(`advance ${name}`, () => ciStore.advance(name, to)),
  };
}
