import { describe, expect, it } from 'vitest';
import { growthOf, measureGrowth } from '../bench/growth.ts';
import { measureWakeDepth, sessionRow } from '../bench/session-ledger.ts';
import { eventTokens } from '../bench/token-count.ts';
import { blockingTokens, questions } from '../bench/token-patterns.ts';
import { boomerangTokens, chattedTokens } from '../bench/tokens.ts';

describe('a session', () => {
  it.each([0, 4, 20])('pays at most 7 + k write units for a call with %i reports', async (k) => {
    const { write_units } = await sessionRow(k);
    expect(write_units).toBeLessThanOrEqual(7 + k);
    expect(write_units).toBeGreaterThanOrEqual(5 + k);
  });

  // Measured in time: a busy machine may add to it once, a round trip more would each time.
  it('is two round trips from the ring of an end to its model request', { retry: 2 }, async () => {
    expect(await measureWakeDepth()).toBe(2);
  });

  it('does not pay more the longer it lives', async () => {
    expect(growthOf(await measureGrowth(30), 5)).toBeLessThanOrEqual(1.05);
  });

  it('sends hardly more than a tool that blocks, and no more model requests', async () => {
    const [ours, blocking] = [await boomerangTokens(), blockingTokens([])];
    expect(ours.model_requests).toBe(2);
    expect(ours.total / blocking.total).toBeLessThanOrEqual(1.02);
  });

  it('sends hardly more while the user talks and is told how far it is', async () => {
    const [ours, blocking] = [await chattedTokens(questions), blockingTokens(questions)];
    expect(ours.model_requests).toBe(blocking.model_requests);
    expect(ours.uncached / blocking.uncached).toBeLessThanOrEqual(1.03);
  });

  it('spends at most 40 tokens on one event', () => {
    const { progress, end } = eventTokens();
    expect(progress).toBeLessThanOrEqual(40);
    expect(end).toBeLessThanOrEqual(40);
  });
});
