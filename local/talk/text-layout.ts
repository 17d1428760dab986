import { stripVTControlCharacters } from 'node:util';

/** Text on a terminal: nothing that was said elsewhere may move the cursor or change the colours. */
export const cleanText = (text: string): string =>
  stripVTControlCharacters(text).replaceAll('\t', '  ').replaceAll(unprintable, '');

/** The same where there is room for one line only. */
export const oneLine = (text: string): string => cleanText(text).replaceAll('\n', ' ');

const unprintable = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u;
const letters = new Intl.Segmenter();

const widthOfLetter = (letter: string) => (wide.test(letter) ? 2 : 1);

/** Most texts are of plain letters, and those need not be looked at one by one. */
const isPlain = (text: string) => /^[ -~]*$/.test(text);

export const widthOf = (text: string): number =>
  isPlain(text)
    ? text.length
    : [...letters.segment(text)].reduce((sum, { segment }) => sum + widthOfLetter(segment), 0);

/** The beginning of a text that fits, with a mark where it was cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of letters.segment(text)) {
    used += widthOfLetter(segment);
    if (used >= width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most that width, broken at spaces that may be; a word that is too long is broken anywhere. */
export const wrapText = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, width));

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let used = Infinity;
  // What stands before the first word stays: it is an indent.
  const words = line.split(/(?<=\S) /);
  for (const word of words.flatMap((one) => piecesOf(one, width))) {
    const fits = used + 1 + widthOf(word) <= width;
    const said = fits ? `${lines.pop()} ${word}` : lines.length === 0 ? word : word.trimStart();
    used = fits ? used + 1 + widthOf(word) : widthOf(said);
    lines.push(said);
  }
  return lines.map((one) => one.replaceAll('\u00a0', ' '));
}

function piecesOf(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const pieces = [''];
  for (const { segment } of letters.segment(word)) {
    const last = pieces.at(-1) ?? '';
    if (widthOf(last + segment) <= width) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}

/** ██████████░░░░░░░░░░  50%, or empty where nobody knows how far it is. */
export function progressBar(percent: number | undefined, width = 20): string {
  const full = Math.round((Math.min(100, Math.max(0, percent ?? 0)) / 100) * width);
  const number = percent === undefined ? '…' : `${Math.round(percent)}%`;
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${number.padStart(4)}`;
}
