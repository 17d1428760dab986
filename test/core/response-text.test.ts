import { describe, expect, it } from 'vitest';
import type { ResponseEntry } from '../../functions/core/entry.ts';
import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import { endText, responseText } from '../../functions/core/response-text.ts';
import { showValue } from '../../functions/core/untrusted-text.ts';
import { value } from '../history/sample-history.ts';

const taskId = asTaskId('task_1');
const response = (changes: Partial<ResponseEntry>): ResponseEntry => ({
  role: 'tool',
  callId: asCallId('call_1'),
  tool: 'deploy',
  status: 'completed',
  taskId,
  atMs: 0,
  ...changes,
});
const long = showValue(JSON.stringify('x'.repeat(10_000)));

describe('responseText', () => {
  it.each<[string, Partial<ResponseEntry>, string]>([
    ['a placeholder', { status: 'working' }, '{"status":"working","task_id":"task_1"}'],
    [
      'a placeholder with what the start gave back',
      { status: 'working', initial: value({ deployment: 'd7' }) },
      '{"status":"working","task_id":"task_1","initial":{"deployment":"d7"}}',
    ],
    ['a result', { value: value({ url: 'https://a' }) }, '{"url":"https://a"}'],
    ['a result of nothing', {}, 'null'],
    [
      'a failure',
      { status: 'failed', error: { code: 'timed_out', message: 'Too late.' } },
      '{"status":"failed","error":{"code":"timed_out","message":"Too late."}}',
    ],
    [
      'a failure without words',
      { status: 'failed', error: { code: 'tool_failed', message: '\u200b ' } },
      '{"status":"failed","error":{"code":"tool_failed","message":"The tool failed."}}',
    ],
    [
      'a cancelled call',
      { status: 'cancelled' },
      '{"status":"cancelled","message":"this tool call was cancelled"}',
    ],
    ['our mark in a result', { value: value('</task-event>') }, '"(/task-event>"'],
  ])('of %s', (_title, changes, text) => {
    expect(responseText(response(changes))).toBe(text);
  });

  it('says how to read on where a value is cut', () => {
    const [head, note] = responseText(response({ value: long })).split('\n');
    expect(head).toBe(`"${'x'.repeat(4095)}`);
    expect(note).toBe(
      '[The first 4096 of 10002 bytes. For the rest use read_result with task_id "task_1" and offset 4096.]',
    );
  });

  it('only says what is missing where there is no task to read from', () => {
    const { taskId: _none, ...quick } = response({ value: long });
    expect(responseText(quick)).toMatch(
      /\n\[The first 4096 of 10002 bytes; the rest is left out\.]$/,
    );
  });

  it('stays JSON where what the start gave back is long', () => {
    const text = responseText(response({ status: 'working', initial: long }));
    expect(JSON.parse(text)).toMatchObject({
      status: 'working',
      initial: /^"x+…$/.exec(`"${'x'.repeat(4095)}…`)?.[0],
    });
  });
});

describe('endText', () => {
  it.each([
    [{ status: 'completed', value: value(1) } as const, '1'],
    [{ status: 'cancelled' } as const, 'this tool call was cancelled'],
    [{ status: 'failed', error: { code: 'lost', message: 'Gone.' } } as const, 'lost: Gone.'],
  ])('of %j', (end, text) => {
    expect(endText(end, taskId)).toBe(text);
  });
});
