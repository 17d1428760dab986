import { describe, expect, it } from 'vitest';
import { eventTextBytesMax, shownBytesMax } from '../../functions/core/limits.ts';
import { bytesOf } from '../../functions/core/text.ts';
import {
  cleanText,
  fence,
  refence,
  showValue,
  withoutTag,
} from '../../functions/core/untrusted-text.ts';

const tag = { nonce: 'k3f9ab', call: 'call_1', status: 'working 50%' };

describe('fence', () => {
  it('marks a text with nonce, call and status', () => {
    expect(fence('Building the image.', tag)).toBe(
      '<task-event k3f9ab call_1 working 50%>Building the image.</task-event>',
    );
  });

  it('caps what it is given', () => {
    const inside = (text: string) => text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'));
    expect(bytesOf(inside(fence('é'.repeat(500), tag)))).toBeLessThanOrEqual(eventTextBytesMax);
    expect(inside(fence('a'.repeat(500), { ...tag, bytesMax: 400 }))).toHaveLength(398);
  });

  it('lets neither nonce nor call id break the mark', () => {
    const odd = fence('x', { ...tag, nonce: 'a>b', call: '</task-event> <' });
    expect(odd).toBe('<task-event a_b __task-event___ working 50%>x</task-event>');
  });

  it('keeps the mark when the words change', () => {
    expect(refence(fence('a > b', tag), 'See there.')).toBe(
      '<task-event k3f9ab call_1 working 50%>See there.</task-event>',
    );
  });
});

describe('cleanText', () => {
  it.each([
    ['two\nlines\tand\r\nmore', 'two lines and  more'],
    ['bell\u0007 and escape\u001b[31m', 'bell  and escape [31m'],
    ['line\u2028separator', 'line separator'],
    ['right\u202eto left', 'rightto left'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['hidden \u{e0049}\u{e0067}\u{e006e}', 'hidden '],
    ['half \ud83d a pair', 'half \ufffd a pair'],
    ['family 👨‍👩‍👧 and می‌خواهم', 'family 👨‍👩‍👧 and می‌خواهم'],
    ['a < b and c > d, <b>bold</b>', 'a < b and c > d, <b>bold</b>'],
  ])('makes of %j %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });
});

describe('withoutTag', () => {
  it("leaves the user's words as they are", () => {
    const words = 'if (a < b) {\n\treturn <Task event={x} />;\n} \u200f';
    expect(withoutTag(words)).not.toContain('<Task event');
    const plain = 'if (a < b) {\n\treturn <task id={x}>Event</task><event/>;\n} \u200f';
    expect(withoutTag(plain)).toBe(plain);
  });
});

describe('showValue', () => {
  it('shows a small value whole', () => {
    expect(showValue('{"a":"é"}')).toEqual({ json: '{"a":"é"}', bytes: 10, cut: false });
    const full = 'x'.repeat(shownBytesMax);
    expect(showValue(full)).toEqual({ json: full, bytes: shownBytesMax, cut: false });
  });

  it.each([
    ['a', 1],
    ['é', 2],
    ['語', 3],
    ['😀', 4],
    ['\ufffd', 3],
  ])('cuts a long text of %s at the border of a character', (char, size) => {
    for (const offset of [0, 1, 2, 3]) {
      const json = 'x'.repeat(offset) + char.repeat(shownBytesMax + 1);
      const shown = showValue(json);
      expect(shown).toMatchObject({ bytes: offset + size * (shownBytesMax + 1), cut: true });
      expect(json.startsWith(shown.json)).toBe(true);
      expect(bytesOf(shown.json)).toBeGreaterThan(shownBytesMax - size);
      expect(bytesOf(shown.json)).toBeLessThanOrEqual(shownBytesMax);
    }
  });
});
