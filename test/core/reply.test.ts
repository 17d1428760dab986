import { describe, expect, it } from 'vitest';
import { asTaskId } from '../../functions/core/ids.ts';
import type { ModelCall } from '../../functions/core/model.ts';
import { offerOf } from '../../functions/core/offer.ts';
import { cutReply, replyOf, turnsInRow, type ReplyContext } from '../../functions/core/reply.ts';
import { testTool } from '../test-tool.ts';
import { longCall, openCall, turnWith } from './sample-turn.ts';

const own = { name: 'mine', description: 'Mine.', inputSchema: {}, results: 1, progressAt: [] };
const tools = new Map([
  ['slow', testTool()],
  ['quick', testTool({ name: 'quick', longRunning: false })],
]);
const turn = turnWith({}, 'none');

const context = (rest: Partial<ReplyContext> = {}): ReplyContext => ({
  turn,
  offer: offerOf({ tools: undefined, ownTools: [own] }, tools),
  model: 'test',
  atMs: 5000,
  usedCallIds: new Set(),
  turnsInRow: 1,
  turnsMax: 8,
  taskIdFor: ({ callId }) => asTaskId(`task of ${callId}`),
  ...rest,
});
const usage = { inputTokens: 1, outputTokens: 2, cachedTokens: 0 };
const reply = (calls: readonly ModelCall[], rest: Partial<ReplyContext> = {}) =>
  replyOf({ text: 'Yes.', calls, usage }, context(rest));
const call = (name: string, id = 'c1', args: unknown = {}) => ({ id, name, arguments: args });

describe('a reply', () => {
  it('without calls stops, or waits for what is open', () => {
    expect(reply([]).finishReason).toBe('stop');
    const waiting = turnWith({ open: [openCall('a')] }, 'none');
    expect(reply([], { turn: waiting }).finishReason).toBe('input_required');
  });

  it('gives long-running calls a task, the caller’s own too, and quick ones none', () => {
    const { calls, finishReason } = reply([call('slow'), call('mine', 'c2'), call('quick', 'c3')]);
    expect(calls.map(({ taskId }) => taskId)).toEqual(['task of c1', 'task of c2', undefined]);
    expect(finishReason).toBe('input_required');
    expect(reply([call('quick')]).finishReason).toBe('tool_calls');
  });

  it('makes a repeated id its own', () => {
    const { calls } = reply([call('slow', 'c1'), call('slow', 'c1')], {
      usedCallIds: new Set(['c1']),
    });
    const ids = calls.map(({ callId }) => callId);
    expect(new Set([...ids, 'c1']).size).toBe(3);
  });

  it('refuses what cannot be carried out, and says why', () => {
    const deep = Array.from({ length: 300 }).reduce<unknown>((inner) => ({ inner }), {});
    const refused = [
      call('nothing'),
      call('mine', 'c2', 'no object'),
      call('mine', 'c3', deep),
    ].map((one) => reply([one]).calls[0]?.refused?.message);
    expect(refused).toEqual([
      'There is no tool named "nothing". There are: slow, quick, mine.',
      expect.stringContaining('expected a JSON object'),
      expect.stringContaining('nested deeper'),
    ]);
  });

  it('refuses every call after too many turns in a row', () => {
    const last = reply([call('slow')], { turnsInRow: 8 });
    expect(last).toMatchObject({ finishReason: 'max_turns', calls: [{ refused: {} }] });
  });

  it('that was refused still counts as one in a row', () => {
    const refused = { ...longCall('a'), refused: { code: 'tool_failed', message: 'no' } } as const;
    const made = turnWith({}, 'none');
    const before = turnWith({}, { calls: [refused] });
    expect(turnsInRow([before, made])).toBe(2);
  });

  it('that was cut keeps what was said, and an error is named', () => {
    const said = { model: 'test', atMs: 1, text: 'Onc' };
    expect(cutReply(turn, 'interrupted', said)).toMatchObject({
      text: 'Onc',
      finishReason: 'stop',
    });
    expect(cutReply(turn, 'refused', { ...said, detail: 'no' }).finishReason).toBe('error');
  });
});

describe('turns in a row', () => {
  const making = (input = false) =>
    turnWith(input ? { inputs: [{ number: 1, inputId: 'i', text: 't', atMs: 0 }] } : {}, {
      calls: [longCall('a')],
    });

  it('are counted back to what the user said, or to a turn that made no call', () => {
    expect(turnsInRow([making(true), making(), turn])).toBe(3);
    expect(turnsInRow([making(true), turnWith(), making(), turn])).toBe(2);
    expect(turnsInRow([making(), making(true), turn])).toBe(2);
  });
});
