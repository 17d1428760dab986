import { describe, expect, it } from 'vitest';
import { callIdsIn, uniqueCallId } from '../../functions/core/call-id.ts';
import { renderHistory } from '../../functions/core/history.ts';
import { longCall, past, reply, said, turn } from '../history/sample-history.ts';

describe('uniqueCallId', () => {
  it.each([
    ['call_1', [], 'call_1'],
    ['functions.deploy:0', [], 'functions.deploy:0'],
    ['call_1', ['call_1'], 'call_1_2'],
    ['call_1', ['call_1', 'call_1_2'], 'call_1_3'],
    ['', [], 'call'],
    ['', ['call'], 'call_2'],
    ['a b/ü', [], 'a_b__'],
    ['a b', ['a_b'], 'a_b_2'],
    ['x'.repeat(65), [], 'x'.repeat(64)],
    ['x'.repeat(64), ['x'.repeat(64)], `${'x'.repeat(62)}_2`],
    ['call_1\n', [], 'call_1_'],
  ])('makes of %j beside %j %j', (id, used, unique) => {
    expect(uniqueCallId(id, new Set(used))).toBe(unique);
    expect(unique).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/);
  });
});

describe('callIdsIn', () => {
  it('gives every id that a reply of the history made', () => {
    const made = reply('', [longCall('a'), longCall('b')]);
    const entries = renderHistory(past([turn(1, { inputs: [said('go')] }, made)]));
    expect([...callIdsIn(entries)]).toEqual(['a', 'b']);
  });
});
