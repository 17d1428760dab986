import { describe, expect, it } from 'vitest';
import { holdInAllMs, holdOnceMs, mayFollow, roundsMax } from '../../functions/core/ladder.ts';

const settings = { graceMs: 2000, holdMs: 45_000 };

describe('how long a call is held', () => {
  it.each([
    ['someone', settings, 47_000],
    ['', { graceMs: 2000, holdMs: 600_000 }, 50_000],
    ['someone', { graceMs: 2000, holdMs: 1000 }, 3000],
    ['claude-code', settings, 540_000],
    ['codex-mcp-client', settings, 280_000],
    ['claude-code', { graceMs: 2000, holdMs: 0 }, 2000],
    ['constructor', settings, 47_000],
  ])('%s with %o: %i ms in all', (client, given, expected) => {
    expect(holdInAllMs(client, given)).toBe(expected);
  });

  it('is the grace time and a hold at first, then a hold each time', () => {
    expect(holdOnceMs(settings, true)).toBe(47_000);
    expect(holdOnceMs(settings, false)).toBe(45_000);
  });
});

it('only a client that is known to follow is sent back, and not more than nine times', () => {
  expect(mayFollow('claude-code', roundsMax)).toBe(true);
  expect(mayFollow('claude-code', roundsMax + 1)).toBe(false);
  expect(mayFollow('someone', 1)).toBe(false);
});
