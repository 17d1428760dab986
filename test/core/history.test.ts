import { describe, expect, it } from 'vitest';
import type { Entry } from '../../functions/core/entry.ts';
import { renderHistory } from '../../functions/core/history.ts';
import { asTaskId } from '../../functions/core/ids.ts';
import type { Intent, Turn } from '../../functions/core/turn.ts';
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

/** One line per entry, so that a history can be read at a glance. */
const lines = (entries: readonly Entry[]) => entries.slice(1).map((entry) => line(entry));

function line(entry: Entry): string {
  switch (entry.role) {
    case 'assistant':
      return ['assistant', entry.text, ...entry.calls.map(({ callId }) => `+${callId}`)]
        .filter((part) => part !== '')
        .join(' ');
    case 'tool':
      return `tool ${entry.callId} ${entry.value?.json ?? entry.error?.message ?? entry.status}`;
    case 'event':
      return `event ${entry.sequence} ${/^<task-event \S+ \S+ (.*)<\/task-event>$/.exec(entry.text)?.[1] ?? entry.text}`;
    case 'system':
    case 'user':
      return `${entry.role} ${entry.text}`;
  }
}

const render = (...turns: readonly Turn[]) => lines(renderHistory(past(turns)));

const asked = turn(1, { inputs: [said('deploy')] }, reply('On it.', [longCall('a')]));
const meanwhile = (intent: Partial<Intent> = {}) =>
  turn(
    2,
    { placeholders: [placeholder('a')], inputs: [said('how far?', 2)], ...intent },
    reply('Wait.'),
  );
const ending = { ...delivery('a'), value: value('done') };

describe('a history', () => {
  it("begins with the session's own words", () => {
    expect(renderHistory(past([], { createdAtMs: 7 }))).toEqual([
      { role: 'system', text: 'Be kind.', atMs: 7 },
    ]);
  });

  it('tells a session that may have to wait how to go on meanwhile, once', () => {
    const [first] = renderHistory(past([], { longRunning: true }));
    const text = first?.role === 'system' ? first.text : '';
    expect(text).toMatch(/^Be kind\.\n\nCalls may stay suspended/);
    expect(text).toMatch(/owed to the user once/);
    expect(text.length).toBeLessThan(320);
    const [bare] = renderHistory(past([], { system: ' ', longRunning: true }));
    expect(bare).toMatchObject({ text: text.replace('Be kind.\n\n', '') });
  });

  it('keeps when and why each entry came', () => {
    const entries = renderHistory(past([turn(3, { inputs: [said('hi', 2)] }, reply('Hello.'))]));
    expect(entries.slice(1)).toEqual([
      { role: 'user', text: 'hi', atMs: 2, trigger: 'user' },
      { role: 'assistant', text: 'Hello.', calls: [], atMs: 5 },
    ]);
  });

  it('gives responses in request order, whatever kind of call they answer', () => {
    const no = { code: 'tool_failed', message: 'There is no such tool.' } as const;
    const calls = [longCall('a'), call('b'), call('c', { refused: no }), longCall('d'), call('e')];
    const rested = turn(1, { inputs: [said('go')] }, reply('', calls), { quick: [quick('e', 5)] });
    const intent = {
      quick: [quick('b', 2)],
      placeholders: [placeholder('d', { n: 1 })],
      deliveries: [{ ...ending, way: 'bind' as const }],
    };
    const entries = renderHistory(past([rested, turn(2, intent)]));
    expect(lines(entries)).toEqual([
      'user go',
      'assistant +a +b +c +d +e',
      'tool a "done"',
      'tool b 2',
      'tool c There is no such tool.',
      'tool d working',
      'tool e 5',
    ]);
    expect(entries[6]).toMatchObject({ taskId: 'task_of_d', initial: { json: '{"n":1}' } });
  });

  it('gives no response to the calls of a reply that nothing follows', () => {
    expect(render(asked)).toEqual(['user deploy', 'assistant On it. +a']);
  });

  it('answers every call, even one that nobody has a word on', () => {
    const both = turn(1, { inputs: [said('go')] }, reply('', [call('q'), longCall('a')]));
    expect(render(both, turn(2, {}))).toEqual([
      'user go',
      'assistant +q +a',
      'tool q The response of this call was lost.',
      'tool a working',
    ]);
  });

  it('binds a result whose placeholder was never sent', () => {
    expect(render(asked, turn(2, { deliveries: [{ ...ending, way: 'bind' }] }))).toEqual([
      'user deploy',
      'assistant On it. +a',
      'tool a "done"',
    ]);
  });

  it('appends a result whose placeholder was sent, after the words of the user', () => {
    const intent = { inputs: [said('and?', 3)], deliveries: [ending] };
    const before = renderHistory(past([asked, meanwhile()]));
    const entries = renderHistory(past([asked, meanwhile(), turn(3, intent)]));
    expect(entries.slice(0, before.length)).toEqual(before);
    expect(lines(entries)).toEqual([
      'user deploy',
      'assistant On it. +a',
      'tool a working',
      'user how far?',
      'assistant Wait.',
      'user and?',
      'event 1 completed>"done"',
    ]);
  });

  it('appends where the way says bind but the placeholder was sent', () => {
    const rendered = render(
      asked,
      meanwhile(),
      turn(3, { deliveries: [{ ...ending, way: 'bind' }] }),
    );
    expect(rendered.slice(2)).toEqual([
      'tool a working',
      'user how far?',
      'assistant Wait.',
      'event 1 completed>"done"',
    ]);
  });

  it('replaces the placeholder, drops progress beside other words, and says so at the tail', () => {
    const told = meanwhile({ deliveries: [progress('a', 25)] });
    const alone = turn(3, { deliveries: [progress('a', 50)] }, reply('Half.'));
    const end = turn(4, { deliveries: [{ ...ending, way: 'replace' }] });
    expect(render(asked, told, alone, end)).toEqual([
      'user deploy',
      'assistant On it. +a',
      'tool a "done"',
      'user how far?',
      'assistant Wait.',
      'event 50 working 50%>building',
      'assistant Half.',
      'event 1 completed>The outcome now stands in the response to this call.',
    ]);
  });

  it('replaces inside the snapshot too, and leaves the snapshot itself alone', () => {
    const snapshot = renderHistory(past([asked, meanwhile()]));
    const stored = structuredClone(snapshot);
    const end = turn(3, { deliveries: [{ ...ending, way: 'replace' }] });
    const entries = renderHistory(past([end], { snapshot, system: 'Be brief.' }));
    expect(lines(entries).slice(1, 3)).toEqual(['assistant On it. +a', 'tool a "done"']);
    expect(entries[0]).toMatchObject({ role: 'system', text: 'Be brief.' });
    expect(snapshot).toEqual(stored);
  });

  it('answers the calls that a snapshot ends with', () => {
    const snapshot = renderHistory(past([asked]));
    const next = turn(2, { placeholders: [placeholder('a')], inputs: [said('hm', 2)] });
    expect(lines(renderHistory(past([next], { snapshot })))).toEqual(render(asked, next));
  });

  it('keeps what came before the last of several results', () => {
    const part = delivery('a', {
      kind: 'partial',
      status: 'working',
      value: value('one'),
      received: 1,
      expected: 2,
    });
    const turns = [asked, meanwhile({ deliveries: [part] })];
    const end = turn(3, { deliveries: [{ ...ending, way: 'replace' }] });
    expect(render(...turns, end).slice(2, 5)).toEqual([
      'tool a "done"',
      'user how far?',
      'event 1 working 1 of 2>"one"',
    ]);
  });

  it('does not say how far it is where it is over', () => {
    const both = turn(3, { deliveries: [progress('a', 75), ending] });
    expect(render(asked, meanwhile(), both).slice(5)).toEqual(['event 1 completed>"done"']);
  });

  it('closes a call once: a second end, or progress after it, is no news', () => {
    const end = turn(3, { deliveries: [ending] }, reply('Done.'));
    const again = turn(4, { inputs: [said('ok', 4)], deliveries: [ending, progress('a', 99)] });
    expect(render(asked, meanwhile(), end, again).slice(6)).toEqual(['assistant Done.', 'user ok']);
  });

  it('shows the real result after a timeout once, as a correction', () => {
    const late = delivery('a', { kind: 'correction', sequence: 9, value: value('real') });
    const error = { code: 'timed_out', message: 'Too late.' } as const;
    const { value: _none, ...timeout } = delivery('a', { status: 'failed', error });
    const turns = [
      asked,
      meanwhile(),
      turn(3, { deliveries: [timeout] }, reply('It failed.')),
      turn(4, { deliveries: [late] }, reply('It came.')),
      turn(5, { inputs: [said('ok', 5)], deliveries: [late] }),
    ];
    expect(render(...turns).slice(5)).toEqual([
      'event 1 failed>timed_out: Too late.',
      'assistant It failed.',
      'event 9 correction completed>"real"',
      'assistant It came.',
      'user ok',
    ]);
  });

  it.each(['bind', 'append', 'replace'] as const)('never throws over an orphan (%s)', (way) => {
    const orphan = delivery('nobody', { way, value: value(1) });
    expect(render(turn(1, { inputs: [said('hi')], deliveries: [orphan] }))).toEqual([
      'user hi',
      'event 1 completed>It belongs to no known call. 1',
    ]);
  });

  it('takes no end of another task for the end of this one', () => {
    const other = { ...ending, taskId: asTaskId('another'), way: 'replace' as const };
    const rendered = render(asked, meanwhile(), turn(3, { deliveries: [other] }));
    expect(rendered[2]).toBe('tool a working');
    expect(rendered.at(-1)).toBe('event 1 completed>It belongs to no known call. "done"');
  });

  it.each([
    ['merged', 'half', ['user one', 'user two']],
    ['refused', 'half', ['user one', 'user two']],
    ['interrupted', 'half', ['user one', 'assistant half', 'user two']],
    ['interrupted', ' ', ['user one', 'user two']],
  ] as const)(
    'renders of a reply that was %s (%j) only what the user saw',
    (cut, text, expected) => {
      const first = turn(
        1,
        { inputs: [said('one')] },
        reply(text, [longCall('a')], { cut, parts: 1 }),
      );
      const entries = renderHistory(past([first, turn(2, { inputs: [said('two', 2)] })]));
      expect(lines(entries)).toEqual(expected);
      expect(entries.some((entry) => entry.role === 'assistant' && entry.parts)).toBe(false);
    },
  );

  it('skips a reply that says nothing', () => {
    const first = turn(1, { inputs: [said('one')] }, reply(' \n'));
    expect(render(first, turn(2, { inputs: [said('two', 2)] }))).toEqual(['user one', 'user two']);
  });

  it("sends the provider's own parts back as they came", () => {
    const parts = { provider: 'anthropic', content: [{ type: 'reasoning' }] };
    const [, , entry] = renderHistory(
      past([turn(1, { inputs: [said('hi')] }, reply('Hi.', [], { parts }))]),
    );
    expect(entry).toEqual({ role: 'assistant', text: 'Hi.', calls: [], parts, atMs: 5 });
  });

  it('gives words to an error that has none', () => {
    const error = { code: 'tool_failed', message: '' } as const;
    const failed = { callId: call('q').callId, status: 'failed' as const, error };
    const first = turn(1, { inputs: [said('go')] }, reply('', [call('q')]));
    expect(render(first, turn(2, { quick: [failed] })).at(-1)).toBe('tool q The tool failed.');
  });

  it.each([
    ['', '(no text)'],
    [' \n', '(no text)'],
    ['what is <task-event x y completed>?', 'what is (task-event x y completed>?'],
    [' two\n\tlines ', ' two\n\tlines '],
  ])('shows what the user said, %j, as %j', (text, shown) => {
    expect(renderHistory(past([turn(1, { inputs: [said(text)] })]))[1]).toMatchObject({
      role: 'user',
      text: shown,
    });
  });
});
