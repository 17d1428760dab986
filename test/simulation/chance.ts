/** All chance of one seed. Drawn in a fixed order, so the same seed gives the same story. */
export interface Chance {
  happens(probability: number): boolean;
  /** A whole number from low to high, both included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
  token(): string;
}

export function chanceFrom(seed: number): Chance {
  const next = mulberry32(Math.imul(seed, 0x9e3779b1));
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    happens: (probability) => next() < probability,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ item }) => item),
    token: () => between(0, 0xffffffff).toString(16).padStart(8, '0'),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}
