import { parseArgs } from 'node:util';
import { faultsIn, runSeeds, type Totals } from './run-seeds.ts';
import type { Violation } from './world.ts';

/** `npm run simulate -- --seeds 1000`, or `-- --seed 42` to play one again. */
const violationsShown = 5;
const traceLinesShown = 25;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    coverage: { type: 'boolean', default: false },
  },
});
const from = wholeNumber(values.seed ?? '1');
const count = wholeNumber(values.seeds ?? (values.seed === undefined ? '1000' : '1'));

const totals = await runSeeds(from, count);
for (const violation of totals.violations.slice(0, violationsShown)) show(violation);
if (values.coverage) showCoverage(totals);
if (count === 1) console.log(`hash ${totals.hash}`);
console.log(
  `${totals.seeds} seeds, ${totals.operations} operations, ${faultsIn(totals)} faults, ` +
    `${totals.violations.length} violations`,
);
process.exitCode = totals.violations.length > 0 ? 1 : 0;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${text} is not a positive number.`);
  return value;
}

function show({ seed, invariant, detail, trace }: Violation): void {
  console.log(`seed ${seed} broke ${invariant}: ${detail}`);
  for (const line of trace.slice(-traceLinesShown)) console.log(`  ${line}`);
}

function showCoverage({ faults, seen }: Totals): void {
  for (const [kind, times] of Object.entries(faults)) console.log(`fault ${kind}: ${times}`);
  for (const [fact, times] of [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`seen ${fact}: ${times}`);
  }
}
