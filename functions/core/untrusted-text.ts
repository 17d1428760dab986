import { eventTextBytesMax, shownBytesMax } from './limits.ts';
import { bytesOf, clipText } from './text.ts';
import type { ShownValue } from './turn.ts';

interface FenceTag {
  readonly nonce: string;
  /** The call that the news is about, by its id or a short form of it. */
  readonly call: string;
  readonly status: string;
  /** A result may be longer than news of one. */
  readonly bytesMax?: number;
}

const tagName = 'task-event';

/** News from outside, marked as such: nobody outside knows the nonce, and nothing inside can end the mark. */
export function fence(text: string, tag: FenceTag): string {
  const { nonce, call, status, bytesMax = eventTextBytesMax } = tag;
  const inside = clipText(cleanText(text).trim(), bytesMax);
  const head = `${tagName} ${word(nonce)} ${word(call)} ${status}`;
  return `<${head}>${inside}</${tagName}>`;
}

/** The same mark around other words of ours. */
export const refence = (fenced: string, words: string): string =>
  `${fenced.slice(0, fenced.indexOf('>') + 1)}${words}</${tagName}>`;

const word = (text: string) => text.replaceAll(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 64);

/** Text of tools and callbacks: one line, nothing unseen, and no mark of ours. */
export const cleanText = (text: string): string =>
  withoutTag(text.replaceAll(invisible, '').replaceAll(control, ' ').replaceAll(halved, '\uFFFD'));

/** The user's own words stay as they are, but for our mark. */
export const withoutTag = (text: string): string => text.replaceAll(openingTag, '(');

/** Joiners stay: scripts and emoji need them. Other unseen characters can hide whole sentences. */
const invisible = /(?!\u200c|\u200d|\ufe0f)\p{DI}/gu;
const control = /[\p{Cc}\u2028\u2029]/gu;
const halved = /\p{Cs}/gu;

const brackets = '<＜﹤‹〈〈⟨❮˂ᐸ';
/** After one of these the letters that follow belong to no tag. */
const closers = '>＞﹥›〉〉⟩❯˃ᐳ';
const spelledBrackets = ['&lt;?', '&#0*60;?', '&#x0*3c;?', String.raw`\\u003c`, '%3c'];
const lookalikes: Readonly<Record<string, string>> = {
  a: 'аα',
  e: 'еεҽ',
  k: 'кκ',
  n: 'пոη',
  s: 'ѕꜱ',
  t: 'тτ',
  v: 'ѵν',
};

/** A letter as Latin, full-width, mathematical or a look-alike; the pattern ignores case. */
function drawings(letter: string): string {
  const place = letter.charCodeAt(0) - 'a'.charCodeAt(0);
  const alphabets = Array.from({ length: 13 }, (_, n) => 0x1d400 + 52 * n);
  const codes = [0xff41, ...alphabets, ...alphabets.map((code) => code + 26)];
  const drawn = codes.map((code) => String.fromCodePoint(code + place)).join('');
  return `[${letter}${drawn}${lookalikes[letter] ?? ''}]`;
}

/** A bracket that our tag's letters follow, whatever stands between them that is no letter to the eye. */
const openingTag = (() => {
  const unread = `(?:[^\\p{L}\\p{N}${brackets}${closers}]|(?=\\p{DI})\\p{L})*`;
  const letters = tagName.replaceAll(/[^a-z]/g, '').split('');
  const name = letters.map((letter) => `${unread}${drawings(letter)}`).join('');
  return new RegExp(`(?:[${brackets}]|${spelledBrackets.join('|')})(?=${name})`, 'giu');
})();

/** A value as the model is shown it: whole, or its head up to the border of a character. */
export function showValue(json: string, bytesMax = shownBytesMax): ShownValue {
  const bytes = bytesOf(json);
  if (bytes <= bytesMax) return { json, bytes, cut: false };
  // A character has at least one byte, so its head lies within as many characters.
  const head = Buffer.from(json.slice(0, bytesMax));
  let end = bytesMax;
  while (isWithinCharacter(head[end])) end -= 1;
  return { json: head.subarray(0, end).toString('utf8'), bytes, cut: true };
}

const isWithinCharacter = (byte: number | undefined) =>
  byte !== undefined && (byte & 0xc0) === 0x80;
