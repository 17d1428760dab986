/**
 * Every request of every random conversation is legal, whole and stable. A failure names its seed: give it
 * as HISTORY_SEED to see only that conversation. The last test finds a small one by itself.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceFrom, type Chance } from '../simulation/chance.ts';
import { freeProfiles, frozenProfiles } from './checks.ts';
import { mutants } from './mutants.ts';
import { findFlaw } from './run-conversation.ts';

const only = process.env['HISTORY_SEED'];
const seeds = only ? [Number(only)] : Array.from({ length: 20_000 }, (_, n) => n + 1);
const timeoutMs = 120_000;

const groups = [
  ['providers that forbid rewriting', frozenProfiles],
  ['providers that allow it', freeProfiles],
] as const;

describe.each(groups)('conversations with %s', (_title, profiles) => {
  it(
    'are legal, whole and stable at every request',
    () => {
      const counts = new Map<string, number>();
      const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
      const flaws = seeds.flatMap((seed) => {
        const flaw = findFlaw(chanceFrom(seed), profiles, count);
        return flaw === undefined ? [] : [`seed ${seed}: ${flaw}`];
      });
      expect(flaws.slice(0, 5)).toEqual([]);
      if (!only) expect(rare(counts, profiles[0].rewrites)).toEqual([]);
    },
    timeoutMs,
  );
});

/** What must have come about often enough to be proven by the run. */
function rare(counts: ReadonlyMap<string, number>, rewrites: boolean): string[] {
  const common =
    'request,progress,partial,end by bind,end by append,completed,failed,cancelled,correction,' +
    'orphan,merged,interrupted,refused,mixed calls,renamed call,quick responses on the turn,' +
    'compacted,left out,quick responses on a covered turn';
  const expected = [...common.split(','), ...(rewrites ? ['end by replace'] : [])];
  return expected.filter((what) => (counts.get(what) ?? 0) < 1000);
}

describe('a broken renderer', () => {
  it.each(Object.entries(mutants))('that %s is found out', (_title, rules) => {
    const found = groups.some(([, profiles]) =>
      seeds
        .slice(0, 1000)
        .some((seed) => findFlaw(chanceFrom(seed), profiles, undefined, rules) !== undefined),
    );
    expect(found).toBe(true);
  });
});

/** Chance that is drawn from a list, so that fast-check can make the list smaller. */
function chanceOn(tape: readonly number[]): Chance {
  let at = 0;
  const next = () => (tape[at++] ?? 0) / 1000;
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    ...chanceFrom(1),
    happens: (probability) => next() < probability,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
}

describe.each(groups)('the smallest bad conversation with %s', (_title, profiles) => {
  it('does not exist', () => {
    const tape = fc.array(fc.nat({ max: 999 }), { maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(tape, (drawn) => findFlaw(chanceOn(drawn), profiles) === undefined),
      { numRuns: 300, seed: 7 },
    );
  });
});
