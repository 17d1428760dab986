import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode22, installSuite, runSuite, startServer, type Outcome } from './suite.ts';

/** `npm run conformance`: the official suites against the product, one line per scenario. */

const sets = [
  { name: '2026-07-28', version: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'] },
  { name: '2025-11-25', version: '0.2.0-alpha.12', args: ['--requirements', '2025-11-25'] },
  { name: 'stable 0.1.16', version: '0.1.16', args: ['--suite', 'all'] },
];

type Reasons = ReadonlyMap<string, string>;

function expectedFailures(): Reasons {
  const text = readFileSync(join(import.meta.dirname, 'expected-failures.yml'), 'utf8');
  const lines = text.matchAll(/^ {2}- ([\w-]+) # (.+)$/gm);
  return new Map([...lines].map(([, scenario = '', reason = '']) => [scenario, reason]));
}

const isFailed = ({ passed, total }: Outcome) => passed < total;

function show(set: string, outcomes: readonly Outcome[], expected: Reasons): void {
  for (const outcome of outcomes) {
    const { scenario, passed, total } = outcome;
    const reason = expected.get(scenario) ?? 'UNEXPECTED';
    const why = isFailed(outcome) ? `  ${reason}` : '';
    process.stdout.write(`${scenario} ${passed}/${total}  (${set})${why}\n`);
  }
}

/** What failed without being listed, and what is listed but failed nowhere. */
function surprises(outcomes: readonly Outcome[], expected: Reasons): readonly string[] {
  const failed = new Set(outcomes.filter(isFailed).map(({ scenario }) => scenario));
  const unlisted = [...failed].filter((scenario) => !expected.has(scenario));
  const stale = [...expected.keys()].filter((scenario) => !failed.has(scenario));
  return [
    ...unlisted.map((scenario) => `${scenario} failed`),
    ...stale.map((scenario) => `${scenario} is listed as a failure, but none was seen`),
  ];
}

async function main(): Promise<number> {
  const node = findNode22();
  if (node === undefined) {
    process.stderr.write('The conformance suite needs Node 22 or newer: name one in NODE22.\n');
    return 1;
  }
  const expected = expectedFailures();
  const server = await startServer();
  const all: Outcome[] = [];
  try {
    for (const { name, version, args } of sets) {
      const outcomes = await runSuite(node, installSuite(version), ['--url', server.url, ...args]);
      show(name, outcomes, expected);
      all.push(...outcomes);
    }
  } finally {
    server.stop();
  }
  const found = surprises(all, expected);
  for (const line of found) process.stderr.write(`${line}\n`);
  return found.length === 0 ? 0 : 1;
}

process.exitCode = await main();
