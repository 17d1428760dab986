import type { Mutant } from './mutants.ts';
import { runSeed } from './run-seed.ts';
import { faultKinds, type FaultKind, type Violation } from './world.ts';

export interface Totals {
  seeds: number;
  operations: number;
  readonly faults: Record<FaultKind, number>;
  readonly violations: Violation[];
  readonly seen: Map<string, number>;
  hash: string;
}

/** Play seeds one after another, until all are played or the first is broken. */
export async function runSeeds(
  from: number,
  count: number,
  options: { readonly mutant?: Mutant; readonly stopAtFirst?: boolean } = {},
): Promise<Totals> {
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Totals['faults'];
  const totals: Totals = {
    seeds: 0,
    operations: 0,
    faults,
    violations: [],
    seen: new Map(),
    hash: '',
  };
  for (let seed = from; seed < from + count; seed += 1) {
    await playSeed(totals, seed, options.mutant);
    if (options.stopAtFirst && totals.violations.length > 0) break;
  }
  return totals;
}

async function playSeed(totals: Totals, seed: number, mutant: Mutant | undefined): Promise<void> {
  const report = await runSeed(seed, mutant);
  totals.seeds += 1;
  totals.operations += report.operations;
  totals.violations.push(...report.violations);
  totals.hash = report.hash;
  for (const kind of faultKinds) totals.faults[kind] += report.faults[kind];
  for (const [fact, times] of report.seen) {
    totals.seen.set(fact, (totals.seen.get(fact) ?? 0) + times);
  }
}

export const faultsIn = ({ faults }: Pick<Totals, 'faults'>) =>
  Object.values(faults).reduce((sum, count) => sum + count, 0);
