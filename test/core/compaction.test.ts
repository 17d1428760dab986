import { describe, expect, it } from 'vitest';
import { compact, historyBytes, needsCompaction } from '../../functions/core/compaction.ts';
import type { Entry } from '../../functions/core/entry.ts';
import { renderHistory } from '../../functions/core/history.ts';
import { illegalities } from '../../functions/core/legality.ts';
import { historyBytesMax, turnsPerSnapshot } from '../../functions/core/limits.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { responseText } from '../../functions/core/response-text.ts';
import type { Turn } from '../../functions/core/turn.ts';
import {
  call,
  delivery,
  longCall,
  past,
  placeholder,
  progress,
  quick,
  reply,
  said,
  turn,
  value,
} from '../history/sample-history.ts';

const shown = (entries: readonly Entry[]) =>
  entries.map((entry) => {
    if (entry.role === 'tool') return responseText(entry);
    return entry.role === 'assistant' && entry.text === '' ? 'calls' : entry.text;
  });

const smallTalk = (number: number): Turn =>
  turn(
    number,
    { inputs: [said(`question ${number} ${'x'.repeat(100)}`, number)] },
    reply(`answer ${number}`),
  );

const asked = turn(1, { inputs: [said('deploy')] }, reply('', [call('q'), longCall('a')]));
const meanwhile = turn(
  2,
  {
    quick: [quick('q', 'quick')],
    placeholders: [placeholder('a', { id: 'd7' })],
    inputs: [said('how far?', 2)],
    deliveries: [progress('a', 25)],
  },
  reply('A quarter.', [], { parts: { signature: 's' } }),
);
const ended = turn(3, { deliveries: [delivery('a', { value: value('done') })] }, reply('Done.'));
const legalNext: Entry = { role: 'user', text: 'next', atMs: 0, trigger: 'user' };
const isLegal = (entries: readonly Entry[]) =>
  illegalities([...entries, legalNext], profileFor('anthropic', 'claude'));

describe('compact', () => {
  it('puts an end in its place and drops what told of it', () => {
    const entries = compact(renderHistory(past([asked, meanwhile, ended])), historyBytesMax);
    expect(shown(entries)).toEqual([
      'Be kind.',
      'deploy',
      'calls',
      '"quick"',
      '"done"',
      'how far?',
      'A quarter.',
      '<task-event nonce3 a completed>The outcome now stands in the response to this call.</task-event>',
      'Done.',
    ]);
    expect(isLegal(entries)).toEqual([]);
    expect(JSON.stringify(entries)).not.toContain('"end":');
  });

  it('keeps an open call with its placeholder and its progress', () => {
    const before = renderHistory(past([asked, meanwhile]));
    expect(compact(before, historyBytesMax)).toEqual(before);
  });

  it('keeps at the tail what the model has not read', () => {
    const intent = { ...ended.intent, inputs: [said('well?', 3)] };
    const unread = { ...ended, intent, reply: undefined };
    const entries = compact(renderHistory(past([asked, meanwhile, unread])), historyBytesMax);
    expect(shown(entries).at(-1)).toContain('The outcome now stands in the response');
    expect(shown(entries)[4]).toBe('"done"');
  });

  it('keeps corrections, results that came before the last, and orphans', () => {
    const kept = [
      delivery('a', { kind: 'partial', status: 'working', received: 1, expected: 2 }),
      delivery('a', { value: value('done') }),
      delivery('a', { kind: 'correction', value: value('real') }),
      delivery('nobody'),
    ];
    const entries = compact(
      renderHistory(past([asked, meanwhile, turn(3, { deliveries: kept }, reply('Hm.'))])),
      historyBytesMax,
    );
    expect(entries.flatMap((entry) => (entry.role === 'event' ? [entry.kind] : []))).toEqual([
      'partial',
      'correction',
      'end',
    ]);
  });

  it('takes the parts of replies that stand after a change, and of no others', () => {
    const first = turn(0, { inputs: [said('hi', 0)] }, reply('Hi.', [], { parts: 'first' }));
    const turns = [first, asked, meanwhile, ended];
    const partsOf = (entries: readonly Entry[]) =>
      entries.flatMap((entry) => (entry.role === 'assistant' && entry.parts ? [entry.parts] : []));
    expect(partsOf(compact(renderHistory(past(turns)), historyBytesMax))).toEqual(['first']);
    const unchanged = renderHistory(past([first, smallTalk(1)]));
    expect(partsOf(compact(unchanged, historyBytesMax))).toEqual(['first']);
  });

  it('leaves out the oldest exchanges beyond what fits, and says how many entries', () => {
    const turns = Array.from({ length: 20 }, (_, n) => smallTalk(n + 1));
    const entries = compact(renderHistory(past(turns)), 2000);
    expect(JSON.stringify(entries).length).toBeLessThan(2200);
    const [first, second, third] = shown(entries);
    const count = 40 - (entries.length - 2);
    expect([first, second]).toEqual([
      'Be kind.',
      `${count} earlier entries of this history were left out.`,
    ]);
    expect(third).toMatch(/^question/);
    expect(shown(entries).at(-1)).toBe('answer 20');
    expect(isLegal(entries)).toEqual([]);
  });

  it('adds up what was left out before', () => {
    const turns = Array.from({ length: 20 }, (_, n) => smallTalk(n + 1));
    const once = compact(renderHistory(past(turns)), 2000);
    const again = renderHistory(past(turns, { snapshot: once }));
    const twice = compact(again, 2000);
    const told = twice.filter((entry) => entry.role === 'system');
    expect(told).toHaveLength(2);
    expect(told[1]).toMatchObject({ leftOut: 80 - (twice.length - 2) });
    expect(renderHistory(past([], { snapshot: twice }))).toEqual(twice);
  });

  it('never leaves out an open call, nor what it was asked for', () => {
    const later = Array.from({ length: 20 }, (_, n) => smallTalk(n + 3));
    const entries = compact(renderHistory(past([asked, meanwhile, ...later])), 1000);
    expect(shown(entries).slice(2, 5)).toEqual([
      'deploy',
      'calls',
      '{"status":"working","task_id":"task_of_a","initial":{"id":"d7"}}',
    ]);
    const calls = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
    expect(calls.map(({ callId }) => callId)).toEqual(['a']);
    expect(isLegal(entries)).toEqual([]);
    const end = turn(30, { deliveries: [delivery('a', { way: 'replace', value: value('late') })] });
    expect(shown(renderHistory(past([end], { snapshot: entries })))[4]).toBe('"late"');
  });

  it('keeps the newest exchange whole, whatever its size', () => {
    const big = turn(1, { inputs: [said('x'.repeat(5000))] }, reply('', [call('q')]));
    const next = turn(2, { quick: [quick('q', 'y'.repeat(5000))] }, reply('Long.'));
    const before = renderHistory(past([big, next]));
    expect(compact(before, 1000)).toEqual(before);
  });

  it('loses no word of the user within the window', () => {
    const turns = [asked, meanwhile, ended, smallTalk(4)];
    const words = (entries: readonly Entry[]) =>
      entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
    const before = renderHistory(past(turns));
    expect(words(compact(before, historyBytesMax))).toEqual(words(before));
  });
});

describe('needsCompaction', () => {
  it('is true before one bounded read no longer reaches the snapshot', () => {
    expect(needsCompaction(turnsPerSnapshot - 1)).toBe(false);
    expect(needsCompaction(turnsPerSnapshot)).toBe(true);
  });

  it('is true sooner for a history of many words', () => {
    const words = turn(1, { inputs: [said('x'.repeat(historyBytesMax))] });
    const bytes = historyBytes(renderHistory(past([words])));
    expect(needsCompaction(1, bytes)).toBe(false);
    expect(needsCompaction(1, 2 * bytes)).toBe(true);
  });
});
