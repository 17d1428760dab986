/** Bugs that others had with late results, each as a test by its own name. */
import { describe, expect, it } from 'vitest';
import { callIdsIn, uniqueCallId } from '../../functions/core/call-id.ts';
import { compact } from '../../functions/core/compaction.ts';
import type { Entry } from '../../functions/core/entry.ts';
import { renderHistory } from '../../functions/core/history.ts';
import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import { groupMessages, illegalities } from '../../functions/core/legality.ts';
import { historyBytesMax } from '../../functions/core/limits.ts';
import { profileFor } from '../../functions/core/profile.ts';
import { responseText } from '../../functions/core/response-text.ts';
import { openCallsAfter, type Delivery, type Turn } from '../../functions/core/turn.ts';
import { freeProfiles, frozenProfiles } from './checks.ts';
import {
  delivery,
  longCall,
  openCall,
  past,
  placeholder,
  progress,
  quick,
  call,
  reply,
  said,
  turn,
  value,
} from './sample-history.ts';

const ways = ['append', 'replace'] as const;

const wordsIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
const responsesIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.role === 'tool' ? [`${entry.callId} ${responseText(entry)}`] : [],
  );
const flawsIn = (entries: readonly Entry[]) =>
  [...frozenProfiles, ...freeProfiles].flatMap((profile) => illegalities(entries, profile));

const asked = turn(1, { inputs: [said('deploy both')] }, reply('', [longCall('a'), longCall('b')]));
const talk = turn(
  2,
  { placeholders: [placeholder('a'), placeholder('b')], inputs: [said('and the weather?', 2)] },
  reply('Sunny.'),
);
const more = turn(3, { inputs: [said('and tomorrow?', 3)] }, reply('Rain.'));
const end = (id: string, way: Delivery['way'], of: unknown = `${id} is done`) =>
  delivery(id, { way, value: value(of) });

describe('the bug museum', () => {
  it.each(ways)(
    'adk-python #2215, adk-go #761: what stands between call and result is kept (%s)',
    (way) => {
      const turns = [asked, talk, more, turn(4, { deliveries: [end('a', way)] })];
      const entries = renderHistory(past(turns));
      expect(wordsIn(entries)).toEqual(['deploy both', 'and the weather?', 'and tomorrow?']);
      const replies = entries.filter(({ role }) => role === 'assistant');
      expect(replies).toHaveLength(3);
      expect(flawsIn(entries)).toEqual([]);
    },
  );

  it.each(['bind', ...ways] as const)('adk-java #632: a call has one response (%s)', (way) => {
    const before = way === 'bind' ? [asked] : [asked, talk];
    const first = turn(4, { deliveries: [end('a', way)], placeholders: [placeholder('b')] });
    const again = turn(5, { inputs: [said('ok', 5)], deliveries: [end('a', way)] });
    const entries = renderHistory(past([...before, { ...first, reply: reply('Done.') }, again]));
    expect(responsesIn(entries).filter((text) => text.startsWith('a '))).toHaveLength(1);
    expect(entries.filter((entry) => entry.role === 'event' && entry.end).length).toBeLessThan(2);
    expect(flawsIn(entries)).toEqual([]);
  });

  it.each(ways)('adk-go #1181: a late result is what the request ends on (%s)', (way) => {
    const entries = renderHistory(
      past([asked, talk, more, turn(4, { deliveries: [end('a', way)] })]),
    );
    const last = entries.at(-1);
    expect(last).toMatchObject({ role: 'event', callId: 'a' });
    expect(last?.role === 'event' && last.text).toMatch(/^<task-event nonce4 a completed>/);
  });

  it('adk-python #5450: the end of one call starts no other again', () => {
    const next = turn(2, { deliveries: [end('a', 'bind')], placeholders: [placeholder('b')] });
    const entries = renderHistory(past([asked, next]));
    const made = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
    expect(made.map(({ callId }) => callId)).toEqual(['a', 'b']);
    const open = [openCall('b', 1)];
    const after: Turn = { ...next, intent: { ...next.intent, open }, reply: reply('Half done.') };
    expect(openCallsAfter(after)).toEqual(open);
  });

  it('adk-python #5064: a call that has ended is no longer pending, under the id it was made with', () => {
    const both = [end('a', 'bind'), end('b', 'bind')];
    const entries = renderHistory(past([asked, turn(2, { deliveries: both })]));
    expect(responsesIn(entries)).toEqual(['a "a is done"', 'b "b is done"']);
    expect(entries.some((entry) => entry.role === 'tool' && entry.status === 'working')).toBe(
      false,
    );
  });

  it.each(ways)('adk-python #3531: a result finds its call many requests later (%s)', (way) => {
    const chat = Array.from({ length: 40 }, (_, n) =>
      turn(n + 3, { inputs: [said(`number ${n}`, n + 3)] }, reply('Yes.')),
    );
    const snapshot = compact(renderHistory(past([asked, talk, ...chat])), 2000);
    const entries = renderHistory(past([turn(50, { deliveries: [end('b', way)] })], { snapshot }));
    const compacted = compact(entries, historyBytesMax);
    expect(responsesIn(compacted)).toEqual([
      'a {"status":"working","task_id":"task_of_a"}',
      'b "b is done"',
    ]);
    expect(flawsIn(entries)).toEqual([]);
  });

  it('ag-ui #1732: a writer that lost leaves no trace, the request is rebuilt to the letter', () => {
    const stored = turn(3, { inputs: [said('first', 3)], deliveries: [progress('a', 50)] });
    const lost = turn(3, { inputs: [said('first', 3)], deliveries: [end('a', 'append')] });
    const sent = JSON.stringify(renderHistory(past([asked, talk, stored])));
    renderHistory(past([asked, talk, lost]));
    const turns: Turn[] = JSON.parse(JSON.stringify([asked, talk, stored]));
    expect(JSON.stringify(renderHistory(past(turns)))).toBe(sent);
  });

  it('assistant-ui #7418: the answer to one of two leaves the other open, whatever is said next', () => {
    const one = turn(2, { deliveries: [end('a', 'bind')], placeholders: [placeholder('b')] });
    const next = turn(3, { inputs: [said('thanks', 3)] });
    const turns = [asked, { ...one, reply: reply('One is done.') }, next];
    const entries = renderHistory(past(turns));
    expect(responsesIn(entries)).toEqual([
      'a "a is done"',
      'b {"status":"working","task_id":"task_of_b"}',
    ]);
    const later = turn(4, { deliveries: [end('b', 'append')] });
    const closed = renderHistory(past([asked, { ...one, reply: reply('One.') }, later]));
    expect(closed.at(-1)).toMatchObject({
      role: 'event',
      callId: 'b',
      end: { status: 'completed' },
    });
  });

  it('openclaw #66775: a call that still runs is never said to have lost its result', () => {
    const unnamed = turn(2, { inputs: [said('well?', 2)] });
    const responses = responsesIn(renderHistory(past([asked, unnamed])));
    expect(responses).toEqual([
      'a {"status":"working","task_id":"task_of_a"}',
      'b {"status":"working","task_id":"task_of_b"}',
    ]);
  });

  it('agents-python #2317: compaction while a call is open keeps the call and its place', () => {
    for (const bytesMax of [100, 1000, historyBytesMax]) {
      const snapshot = compact(renderHistory(past([asked, talk, more])), bytesMax);
      const next = turn(4, { inputs: [said('done?', 4)], deliveries: [end('a', 'append')] });
      const entries = renderHistory(past([next], { snapshot }));
      expect(flawsIn(entries)).toEqual([]);
      expect(responsesIn(entries)).toHaveLength(2);
    }
    // Also when nobody has answered the calls yet.
    const bare = compact(renderHistory(past([more, { ...asked, number: 4 }])), 100);
    const entries = renderHistory(
      past([turn(5, { deliveries: [end('a', 'bind')] })], { snapshot: bare }),
    );
    expect(flawsIn(entries)).toEqual([]);
    expect(responsesIn(entries)[0]).toBe('a "a is done"');
  });

  it('gpt-oss #308: an id that is used again belongs to another call', () => {
    const before = renderHistory(past([asked, talk]));
    const again = asCallId(uniqueCallId('a', callIdsIn(before)));
    expect(again).toBe('a_2');
    const second = { ...longCall('a'), callId: again, taskId: asTaskId('second task') };
    const made = turn(3, { inputs: [said('again', 3)] }, reply('', [second]));
    const mine = { ...end('a', 'bind', 'the second'), callId: again, taskId: second.taskId };
    const next = turn(4, { deliveries: [mine, end('a', 'append', 'the first')] });
    const entries = renderHistory(past([asked, talk, made, next]));
    expect(responsesIn(entries)[2]).toBe('a_2 "the second"');
    expect(entries.at(-1)).toMatchObject({
      role: 'event',
      callId: 'a',
      end: { status: 'completed' },
    });
    expect(flawsIn(entries)).toEqual([]);
  });

  it('gpt-oss #308, after compaction: the end of a forgotten call is not taken for the new one', () => {
    const made = turn(9, { inputs: [said('go')] }, reply('', [longCall('a')]));
    const stale = { ...end('a', 'bind', 'old'), taskId: asTaskId('a forgotten task') };
    const next = turn(10, { deliveries: [stale], placeholders: [placeholder('a')] });
    const entries = renderHistory(past([made, next]));
    expect(responsesIn(entries)).toEqual(['a {"status":"working","task_id":"task_of_a"}']);
    expect(entries.at(-1)).toMatchObject({ role: 'event', taskId: 'a forgotten task' });
  });
});

describe('rules that peers learnt from an error', () => {
  it('strands #1435: there are never more responses than calls', () => {
    const calls = [call('q'), longCall('a')];
    const first = turn(1, { inputs: [said('go')] }, reply('', calls), { quick: [quick('q', 1)] });
    const next = turn(2, {
      quick: [quick('q', 1)],
      deliveries: [end('a', 'bind'), end('a', 'bind')],
    });
    const entries = renderHistory(past([first, next]));
    expect(responsesIn(entries)).toHaveLength(2);
    expect(flawsIn(entries)).toEqual([]);
  });

  it('strands #1223: text stands apart from responses where the model wants it so', () => {
    const entries = renderHistory(past([asked, { ...talk, reply: undefined }]));
    const nova = profileFor('bedrock', 'amazon.nova-pro-v1:0');
    expect(groupMessages(entries, nova).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(illegalities(entries, nova)).toEqual([]);
  });

  it('ag-ui #1935: a model that wants as many responses as calls gets them, ended or not', () => {
    const next = turn(2, { deliveries: [end('b', 'bind')], placeholders: [placeholder('a')] });
    const entries = renderHistory(past([asked, next]));
    expect(illegalities(entries, profileFor('gemini', 'gemini-3'))).toEqual([]);
  });
});
