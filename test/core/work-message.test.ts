import { describe, expect, it } from 'vitest';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import {
  messageVersion,
  readWorkMessage,
  taskIdOf,
  workMessage,
  type WorkRequest,
} from '../../functions/core/work-message.ts';
import { sampleStart } from './sample-task.ts';

const { owner, taskId } = sampleStart;
const requests: readonly WorkRequest[] = [
  { kind: 'run', start: sampleStart },
  { kind: 'cancel', owner, taskId },
  { kind: 'expire', owner, taskId },
  { kind: 'poison', owner, taskId },
  { kind: 'finish', owner, taskId, event: { kind: 'cancelled', atMs: 1 } },
];

describe('readWorkMessage', () => {
  it.each(requests)('reads what workMessage wrote: $kind', (request) => {
    const message = { ...workMessage(request), notBeforeMs: 5, redrives: 1 };
    expect(readWorkMessage(asciiJson(message))).toEqual({ kind: 'ours', message });
    expect(taskIdOf(message)).toBe(taskId);
  });

  it('reads a message of the version before', () => {
    const message = { ...workMessage({ kind: 'cancel', owner, taskId }), v: messageVersion - 1 };
    expect(readWorkMessage(JSON.stringify(message)).kind).toBe('ours');
  });

  it.each([
    { v: messageVersion + 1 },
    { v: messageVersion + 1, kind: 'something new', start: 'of another shape' },
  ])('leaves what is newer: %j', (message) => {
    expect(readWorkMessage(JSON.stringify(message))).toEqual({ kind: 'newer' });
  });

  it.each([
    '',
    'not JSON',
    'null',
    '7',
    '[]',
    '{}',
    '{"v":"1","kind":"cancel","owner":"a","taskId":"b"}',
    '{"v":1}',
    '{"v":1,"kind":"dance"}',
    '{"v":1,"kind":"run"}',
    '{"v":1,"kind":"run","start":null}',
    '{"v":1,"kind":"run","start":"x"}',
    '{"v":1,"kind":"cancel","owner":"a"}',
    '{"v":1,"kind":"expire","taskId":"b"}',
    '{"v":1,"kind":"finish","owner":"a","taskId":"b"}',
    '{"v":1,"kind":"finish","owner":"a","taskId":"b","event":"completed"}',
  ])('cannot read %s', (body) => {
    expect(readWorkMessage(body)).toEqual({ kind: 'unreadable' });
  });
});
