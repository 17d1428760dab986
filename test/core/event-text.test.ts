import { describe, expect, it } from 'vitest';
import { eventText, noticeText } from '../../functions/core/event-text.ts';
import { asCallId } from '../../functions/core/ids.ts';
import type { Delivery } from '../../functions/core/turn.ts';
import { showValue } from '../../functions/core/untrusted-text.ts';
import { delivery, progress, value } from '../history/sample-history.ts';

const nonce = 'k3f9ab';
const inside = (text: string) => text.replace('<task-event k3f9ab a #1 ', '').replace(/<.*$/, '');

describe('eventText', () => {
  it.each<[string, Partial<Delivery>, string]>([
    ['a result', {}, 'completed>{"url":"https://staging.example"}'],
    [
      'a failure',
      { status: 'failed', error: { code: 'timed_out', message: 'Too late.' } },
      'failed>timed_out: Too late.',
    ],
    ['a cancelled call', { status: 'cancelled' }, 'cancelled>this tool call was cancelled'],
    [
      'one of two results',
      { kind: 'partial', status: 'working', received: 1, expected: 2, value: value('A') },
      'working 1 of 2>"A"',
    ],
    [
      'one of who knows how many',
      { kind: 'partial', status: 'working', received: 3, value: value('C') },
      'working 3 of several>"C"',
    ],
    ['a late result', { kind: 'correction', value: value('real') }, 'correction completed>"real"'],
  ])('of %s', (_title, changes, text) => {
    expect(inside(eventText(delivery('a', changes), nonce, true))).toBe(text);
  });

  it('of progress says how far it is, within 40 tokens', () => {
    const words = 'Installed nine of twelve packages and now running the slower tests again';
    const callId = asCallId('toolu_01A09q90qw90lq917835lq9');
    const text = eventText({ ...progress('a', 49.6, words), callId, sequence: 12 }, nonce, true);
    expect(text).toBe(`<task-event k3f9ab ${callId} #12 working 50%>${words}</task-event>`);
    expect(text.length).toBeLessThanOrEqual(150);
    const { percent: _none, ...vague } = progress('a', 1);
    expect(eventText(vague, nonce, true)).toBe(
      '<task-event k3f9ab a #1 working>building</task-event>',
    );
  });

  it('says of an orphan that it belongs to no known call', () => {
    const text = eventText(delivery('a', { value: value(7) }), nonce, false);
    expect(inside(text)).toBe('completed>It belongs to no known call. 7');
  });

  it('keeps the line that says how to read on', () => {
    const long = showValue(JSON.stringify('x'.repeat(9000)));
    const text = eventText(delivery('a', { value: long }), nonce, true);
    expect(text).toContain('read_result with task_id "task_of_a" and offset 4096.]</task-event>');
  });
});

describe('noticeText', () => {
  it('only points to the response', () => {
    expect(noticeText(delivery('a'), nonce)).toBe(
      '<task-event k3f9ab a #1 completed>The outcome now stands in the response to this call.</task-event>',
    );
  });
});
