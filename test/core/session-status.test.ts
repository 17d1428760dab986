import { describe, expect, it } from 'vitest';
import { isSettled, restReasonOf, statusAfter } from '../../functions/core/session-status.ts';
import type { Call } from '../../functions/core/turn.ts';
import { asCallId } from '../../functions/core/ids.ts';
import { longCall, openCall, turnWith } from './sample-turn.ts';

const quickCall: Call = { callId: asCallId('q'), tool: 'quick', arguments: {} };
const unreplied = turnWith({}, {}, { reply: undefined });

describe('the status that a turn leaves', () => {
  it.each([
    ['no turn', undefined, 'idle'],
    ['a turn without a reply', unreplied, 'running'],
    ['a last word', turnWith(), 'idle'],
    ['a pending call', turnWith({}, { calls: [longCall('a')] }), 'input_required'],
    [
      'a word while an older call is pending',
      turnWith({ open: [openCall('a')] }),
      'input_required',
    ],
    ['quick calls', turnWith({}, { calls: [quickCall], finishReason: 'tool_calls' }), 'running'],
    ['too many turns', turnWith({}, { finishReason: 'max_turns' }), 'idle'],
    ['a refusal', turnWith({}, { finishReason: 'error', cut: 'refused' }), 'failed'],
    ['a user who cut in', turnWith({}, { cut: 'interrupted' }), 'running'],
    ['words that were merged', turnWith({}, { cut: 'merged' }), 'running'],
  ])('after %s', (_what, turn, status) => {
    expect(statusAfter(turn)).toBe(status);
  });
});

describe('a turn is settled', () => {
  it.each([
    ['not without a reply', unreplied, false],
    ['with a last word', turnWith(), true],
    ['with a pending call', turnWith({}, { calls: [longCall('a')] }), true],
    ['not with a quick call', turnWith({}, { calls: [quickCall] }), false],
    ['with its responses', turnWith({}, { calls: [quickCall] }, { quick: [] }), true],
  ])('%s', (_what, turn, settled) => {
    expect(isSettled(turn)).toBe(settled);
  });
});

describe('why a session rests', () => {
  it('is what its last reply said, unless it goes on', () => {
    expect(restReasonOf(undefined)).toBeUndefined();
    expect(restReasonOf(unreplied)).toBeUndefined();
    expect(restReasonOf(turnWith({}, { finishReason: 'tool_calls' }))).toBeUndefined();
    expect(restReasonOf(turnWith({}, { finishReason: 'max_turns' }))).toBe('max_turns');
  });
});
