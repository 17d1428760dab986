import { describe, expect, it } from 'vitest';
import { boomerangRow, measureDepth } from '../bench/ledger.ts';

describe('the ledger of one call life', () => {
  it.each([0, 1, 4, 20])('is at most 5 + k write units with %i progress events', async (k) => {
    const row = await boomerangRow({ progressEvents: k, argumentsBytes: 300, resultBytes: 500 });
    expect(row.write_units).toBeLessThanOrEqual(5 + k);
    expect(row.write_units).toBeGreaterThanOrEqual(3 + k);
    expect(row.sqs_requests).toBeLessThanOrEqual(4);
    expect(row.visibility_requests).toBe(1);
    expect(row.transactions_and_scans).toBe(0);
  });

  it('is at most 27 write units with 20 KB of arguments and a result of 40 KB', async () => {
    const size = { progressEvents: 4, argumentsBytes: 20 * 1024, resultBytes: 40 * 1024 };
    expect((await boomerangRow(size)).write_units).toBeLessThanOrEqual(27);
  });

  // Measured in time: a busy machine may add to it once, a round trip more would each time.
  it('is one round trip deep at the start and at each progress', { retry: 2 }, async () => {
    expect(await measureDepth()).toEqual({ start: 1, progress: 1 });
  });
});
