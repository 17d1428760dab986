import type { Colour, Paint } from './paint.ts';
import { cleanText, cutTo, wrapText } from './text-layout.ts';

/** Who speaks or acts in a line. */
export type Speaker =
  | 'you'
  | 'model'
  | 'call'
  | 'yields'
  | 'progress'
  | 'result'
  | 'failed'
  | 'caller'
  | 'callback'
  | 'cancel'
  | 'cancelled'
  | 'note';

export interface Page {
  readonly width: number;
  readonly paint: Paint;
}

const colours: { readonly [who in Speaker]: Colour } = {
  you: 'cyan',
  model: 'green',
  call: 'yellow',
  yields: 'dim',
  progress: 'dim',
  result: 'yellow',
  failed: 'red',
  caller: 'magenta',
  callback: 'magenta',
  cancel: 'magenta',
  cancelled: 'red',
  note: 'dim',
};

/** The names of all speakers fit into it. */
export const whoWidth = 10;

/** What one of them says: the name, and beside it the lines under one another. */
export function spokenLines(who: Speaker, text: string, { width, paint }: Page): readonly string[] {
  const [first = '', ...more] = linesOf(who, cleanText(text), width - whoWidth).map((line) =>
    isAside(who) ? paint('dim', line) : line,
  );
  const name = paint(colours[who], who.padEnd(whoWidth));
  return [`${name}${first}`, ...more.map((line) => `${' '.repeat(whoWidth)}${line}`)].map((line) =>
    line.trimEnd(),
  );
}

const isAside = (who: Speaker) => who === 'yields' || who === 'progress' || who === 'note';

/** Words are told in full; of values and reports the beginning is enough. */
function linesMax(who: Speaker): number {
  if (who === 'you' || who === 'model' || who === 'note') return Infinity;
  return who === 'progress' ? 1 : 2;
}

function linesOf(who: Speaker, text: string, room: number): readonly string[] {
  const lines = wrapText(text, room);
  const most = linesMax(who);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutTo(lines.slice(most - 1).join(' '), room)];
}
