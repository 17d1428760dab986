import { describe, expect, it } from 'vitest';
import type { RunningCall } from '../../local/chat/face.ts';
import { windowOn } from '../../local/chat/screen.ts';
import { terminalFace } from '../../local/chat/terminal-face.ts';
import { virtualTerminal } from './virtual-terminal.ts';

const plain = (_colour: string, text: string) => text;

function openFace(columns = 60, rows = 20) {
  const terminal = virtualTerminal(columns, rows);
  const typing = { line: '', cursor: 0 };
  const face = terminalFace(terminal, plain, () => typing);
  const type = (line: string, cursor = line.length) => {
    Object.assign(typing, { line, cursor });
    face.screen.draw();
  };
  return { terminal, face, type };
}

const call = (more: Partial<RunningCall> = {}): RunningCall => ({
  callId: 'call_1',
  name: 'install redis',
  sinceMs: Date.now(),
  percent: undefined,
  message: '',
  isCancelling: false,
  ...more,
});

describe('the face of a terminal', () => {
  it('keeps bars and the typed line below what is said, and leaves nothing behind', () => {
    const { terminal, face, type } = openFace(60);
    face.tell('you', 'install redis');
    face.show([call()]);
    type('and the wea');
    face.tell('model', 'On my way.');
    face.show([call({ percent: 50, message: 'Downloaded' })]);
    expect(terminal.screen).toEqual([
      'you       install redis',
      'model     On my way.',
      '',
      '          ████░░░░  50%  0:00  install redis  Downloaded',
      'you ▸     and the wea',
    ]);
    expect(terminal.cursor).toEqual({ row: 4, column: 21 });
    face.show([]);
    type('');
    expect(terminal.screen).toEqual(['you       install redis', 'model     On my way.', 'you ▸']);
  });

  it('shows words as they are spoken, and once when they are complete', () => {
    const { terminal, face, type } = openFace();
    type('typing');
    for (const text of [
      'Once',
      'Once upon',
      'Once upon a time there was a boomerang that never came back.',
    ])
      face.speak(text);
    expect(terminal.screen).toEqual([
      'model     Once upon a time there was a boomerang that never',
      '          came back.',
      'you ▸     typing',
    ]);
    face.speak('');
    face.tell('model', 'Once upon a time.');
    expect(terminal.screen).toEqual(['model     Once upon a time.', 'you ▸     typing']);
  });

  it('draws no more rows than there are, whatever is said and runs', () => {
    const { terminal, face } = openFace(40, 6);
    face.tell('you', 'Go');
    face.speak('word '.repeat(100));
    face.show([call({ name: 'one' }), call({ name: 'two', isCancelling: true })]);
    expect(terminal.screen).toHaveLength(1 + 5);
    expect(terminal.screen.at(-2)).toContain('two  is…');
    face.speak('');
    face.show([]);
    expect(terminal.screen).toEqual(['you       Go', 'you ▸']);
  });

  it('lets nobody write to the terminal but itself', () => {
    const { terminal, face, type } = openFace();
    face.tell('model', 'red \u001b[31malert\u001b[2J\u0007');
    face.show([call({ name: 'a\u001b[5A\nb', message: '\r\n\u009b2J' })]);
    type('x\u001b[A');
    expect(terminal.screen[0]).toBe('model     red alert');
    expect(terminal.screen).toHaveLength(4);
  });

  it('leaves the terminal below what was said', () => {
    const { terminal, face, type } = openFace();
    face.show([call()]);
    type('half a line');
    face.screen.close(['', 'Goodbye.']);
    expect(terminal.screen).toEqual(['', 'Goodbye.', '']);
  });
});

it('a long line is seen where its cursor is', () => {
  const line = 'abcdefghij';
  expect(windowOn(line, 10, 5)).toEqual({ prompt: 'ghij', cursor: 4 });
  expect(windowOn(line, 0, 5)).toEqual({ prompt: 'abcde', cursor: 0 });
  expect(windowOn('日本語です', 5, 5)).toEqual({ prompt: 'です', cursor: 4 });
});
