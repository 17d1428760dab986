import { describe, expect, it } from 'vitest';
import { eventText, noticeText } from '../../functions/core/event-text.ts';
import { asCallId } from '../../functions/core/ids.ts';
import type { Delivery } from '../../functions/core/turn.ts';
import { showValue } from '../../functions/core/untrusted-text.ts';
import { delivery, progress, value } from '../history/sample-history.ts';

const nonce = 'k3f9ab';
const intent = { nonce, open: [], deliveries: [] };
const inside = (text: string) => text.replace('<task-event k3f9ab a ', '').replace(/<.*$/, '');
/** As the providers make them. What they cost in tokens is measured with the ledger of a session. */
const providerIds = [
  'toolu_01XFDUDYJgAACzvnptvVoYEL',
  'call_Vw3hQd9sLmN2xYzAbCdEfGhI',
  'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q',
].map(asCallId);

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
    expect(inside(eventText(delivery('a', changes), intent, true))).toBe(text);
  });

  it.each(providerIds)(
    'of progress of %s says how far it is, and names the call briefly',
    (callId) => {
      const words = 'Installed nine of twelve packages and now running the slower tests again';
      const news = { ...progress('a', 49.6, words), callId };
      const text = eventText(news, { ...intent, deliveries: [news] }, true);
      expect(text).toBe(
        `<task-event k3f9ab ..${callId.slice(-6)} working 50%>${words}</task-event>`,
      );
    },
  );

  it.each(providerIds)('of an end of %s names the whole id', (callId) => {
    const end = { ...delivery('a', { value: value({ status: 'ok' }) }), callId };
    const text = eventText(end, intent, true);
    expect(text).toBe(`<task-event k3f9ab ${callId} completed>{"status":"ok"}</task-event>`);
  });

  it('of progress tells apart two calls whose ids end alike', () => {
    const ends = '_0000001_of_12';
    const [one, other] = [progress(`call_first${ends}`, 5), progress(`call_other${ends}`, 7)];
    const text = eventText(one, { ...intent, deliveries: [one, other] }, true);
    expect(text).toContain(' ..irst_0000001_of_12 working');
  });

  it('of progress says so without a percentage too', () => {
    const { percent: _none, ...vague } = progress('a', 1);
    expect(eventText(vague, intent, true)).toBe(
      '<task-event k3f9ab a working>building</task-event>',
    );
  });

  it('says of an orphan that it belongs to no known call', () => {
    const text = eventText(delivery('a', { value: value(7) }), intent, false);
    expect(inside(text)).toBe('completed>It belongs to no known call. 7');
  });

  it('keeps the line that says how to read on', () => {
    const long = showValue(JSON.stringify('x'.repeat(9000)));
    const text = eventText(delivery('a', { value: long }), intent, true);
    expect(text).toContain('read_result with task_id "task_of_a" and offset 4096.]</task-event>');
  });
});

describe('noticeText', () => {
  it('only points to the response', () => {
    expect(noticeText(delivery('a'), nonce)).toBe(
      '<task-event k3f9ab a completed>The outcome now stands in the response to this call.</task-event>',
    );
  });
});
