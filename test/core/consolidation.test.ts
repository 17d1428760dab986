import { describe, expect, it } from 'vitest';
import {
  placeholderSent,
  wayFor,
  type EndCircumstances,
} from '../../functions/core/consolidation.ts';
import { profileFor } from '../../functions/core/profile.ts';
import type { Delivery } from '../../functions/core/turn.ts';
import { openCall, placeholder, turn } from '../history/sample-history.ts';

const free = profileFor('openai-chat', 'gpt-6');
const frozen = profileFor('anthropic', 'claude-fable-5-1');
const warm: EndCircumstances = {
  profile: free,
  policy: 'auto',
  placeholderSent: true,
  lastRequestAtMs: 0,
  nowMs: 299_999,
  snapshotCovers: false,
};
const cold = { ...warm, nowMs: 300_000 };
const covered = { ...warm, snapshotCovers: true };

describe('wayFor', () => {
  it.each<[string, EndCircumstances, Delivery['way']]>([
    ['binds what was never sent', { ...warm, placeholderSent: false }, 'bind'],
    [
      'binds even where the policy appends',
      { ...cold, placeholderSent: false, policy: 'append' },
      'bind',
    ],
    ['appends to a warm cache', warm, 'append'],
    ['replaces in a cold one', cold, 'replace'],
    ['replaces what was compacted', covered, 'replace'],
    ['appends if told to', { ...cold, policy: 'append' }, 'append'],
    ['replaces if told to', { ...warm, policy: 'replace' }, 'replace'],
    ['never replaces where rewriting is forbidden', { ...cold, profile: frozen }, 'append'],
    ['not even if told to', { ...cold, profile: frozen, policy: 'replace' }, 'append'],
    ['not even after compaction', { ...covered, profile: frozen }, 'append'],
  ])('%s', (_title, end, way) => {
    expect(wayFor(end)).toBe(way);
  });
});

describe('placeholderSent', () => {
  const call = openCall('a', 3);
  const naming = (number: number) => turn(number, { placeholders: [placeholder('a')] });

  it.each([
    ['before any turn', [], false],
    ['while its own turn is the last', [turn(2, {}), turn(3, {})], false],
    ['once a later intent names it', [turn(3, {}), naming(4)], true],
    ['not by an intent that names another', [turn(3, {}), turn(4, {})], false],
    ['once the turn that named it lies behind a snapshot', [turn(5, {})], true],
    ['not when only its own turn lies there', [turn(4, {})], false],
  ])('%s', (_title, turns, sent) => {
    expect(placeholderSent(call, turns)).toBe(sent);
  });
});
