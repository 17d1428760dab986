import { describe, expect, it } from 'vitest';
import { rightsMissing } from './infra/rights.ts';
import { mutants } from './simulation/mutants.ts';
import { runSeed } from './simulation/run-seed.ts';
import { runSeeds } from './simulation/run-seeds.ts';
import { faultKinds, type Violation } from './simulation/world.ts';

const seeds = 100;
/** A mutant stops at what it breaks; a change of the rules may move that some seeds on. */
const mutantSeeds = 400;
const timeoutMs = 120_000;

/** What must have happened somewhere in these seeds, or they prove less than they claim. */
const mustBeSeen = [
  'Notify uses webhooks.claim',
  'Resume uses sessions.putTurn',
  'Sweep uses webhooks.delivery',
  'Worker uses webhooks.delivery',
  'answer: response_conflict',
  'answer: taken',
  'answer: task_ended',
  'callback: already_resolved',
  'callback: progressed',
  'callback: resolved',
  'callback: task_ended',
  'cancel: done',
  'cancel: task_ended',
  'claimed again',
  'claim not renewed',
  'elsewhere fell silent',
  'ended: cancelled',
  'ended: completed',
  'ended: failed lost',
  'ended: failed outcome_unknown',
  'ended: failed timed_out',
  'ended: failed tool_failed',
  'expired',
  'long went on from its checkpoint',
  'message dropped: other arguments',
  'message left in the queue',
  'poison found',
  'question left open',
  'redriven',
  'refused: idempotency_conflict',
  'corrected',
  'input taken',
  'long session',
  'model asked again',
  'model was busy',
  'reply refused',
  'result read',
  'session call cancelled',
  'sweep failed',
  'task handed off',
  'receiver failed',
  'webhook came again',
  'webhook: delivered',
  'webhook: exhausted',
];

const told = ({ seed, invariant, detail }: Violation) =>
  `seed ${seed} broke ${invariant}: ${detail}`;

describe('simulation', () => {
  it(
    'holds every invariant whatever breaks',
    async () => {
      const totals = await runSeeds(1, seeds);
      expect(totals.violations.map(told)).toEqual([]);
      expect(faultKinds.filter((kind) => totals.faults[kind] < 100)).toEqual([]);
      expect(mustBeSeen.filter((fact) => !totals.seen.has(fact))).toEqual([]);
      expect(rightsMissing(totals.seen.keys())).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'plays a seed the same way every time',
    async () => {
      for (const seed of [1, 7, 42, 271]) {
        const first = await runSeed(seed);
        const second = await runSeed(seed);
        expect(second.hash).toBe(first.hash);
      }
      expect((await runSeed(2)).hash).not.toBe((await runSeed(3)).hash);
    },
    timeoutMs,
  );

  it.each(Object.entries(mutants))(
    'notices when %s',
    async (_name, mutant) => {
      const { violations } = await runSeeds(mutant.from ?? 1, mutantSeeds, {
        mutant,
        stopAtFirst: true,
      });
      expect(mutant.breaks?.split(' or ')).toContain(violations[0]?.invariant);
    },
    timeoutMs,
  );
});
