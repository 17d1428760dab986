import { expect, it } from 'vitest';
import { callName, clockTime, shortFields } from '../../local/talk/short-words.ts';
import { cleanText, cutTo, progressBar, widthOf, wrapText } from '../../local/talk/text-layout.ts';

it('lines end between words, and keep their indent', () => {
  expect(wrapText('  a list of words\n\nand on', 9)).toEqual([
    '  a list',
    'of words',
    '',
    'and on',
  ]);
  expect(wrapText('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
  expect(wrapText('', 10)).toEqual(['']);
});

it('letters that are two columns wide are counted so', () => {
  expect(widthOf('日本')).toBe(4);
  expect(widthOf('👩‍👩‍👧')).toBe(2);
  expect(cutTo('日本語です', 5)).toBe('日本…');
  expect(wrapText('日本語', 4)).toEqual(['日本', '語']);
});

it('a text from elsewhere can neither move the cursor nor change colours', () => {
  expect(cleanText('a\u001b[31mb\u001b[2J\u0007\rc\u009bd\u202ee\nf\tg')).toBe('abcde\nf  g');
});

it('bars have one length', () => {
  const bars = [0, 25, 99.4, 100, undefined].map((percent) => progressBar(percent));
  expect(bars[1]).toBe('█████░░░░░░░░░░░░░░░  25%');
  expect(new Set(bars.map(widthOf)).size).toBe(1);
});

it('values are told in few words', () => {
  const value = { id: 'task_0123456789abcdef', list: [1, 2, 3, 4], deep: { a: null }, text: 'x' };
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect(plain(shortFields(value))).toBe(
    'id: task_0123456…, list: [4 entries], deep: {a: null}, text: "x"',
  );
  expect(shortFields(undefined)).toBe('nothing');
  expect(callName('install_package', { duration_s: 3, package: 'redis' })).toBe(
    'install_package redis',
  );
  expect(callName('get_task', { task_id: 'task_0123456789abcdef' })).toBe('get_task');
});

it('times are told as a clock does', () => {
  expect([0, 492_000, 3_605_000, 90_000_000].map(clockTime)).toEqual([
    '0:00',
    '8:12',
    '1:00:05',
    '25:00:00',
  ]);
});
