import type { Colour, Paint } from '../talk/paint.ts';
import { clockTime, counted } from '../talk/short-words.ts';
import { cleanText, cutTo, wrapText } from '../talk/text-layout.ts';
import type { Moment, Speaker } from './moment.ts';
import type { Played } from './play-scenario.ts';
import type { Scenario } from './scenario-file.ts';

export interface Page {
  readonly width: number;
  readonly paint: Paint;
}

const timeWidth = 8;
const whoWidth = 10;
const margin = timeWidth + whoWidth + 2;

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
};

/** Words are told in full; of values and reports the beginning is enough. */
function linesMax(who: Speaker): number {
  if (who === 'you' || who === 'model') return Infinity;
  return who === 'progress' ? 1 : 2;
}

export function titleText({ title, about }: Scenario, { width, paint }: Page): string {
  const lines = about === undefined ? [] : wrapText(about, width - 2);
  return `\n  ${paint('bold', title)}\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

/** One moment: when, who, and what, the lines of it under one another. */
export function momentText({ atMs, who, text }: Moment, { width, paint }: Page): string {
  const room = width - margin;
  const time = clockTime(atMs).padStart(timeWidth);
  const head = `${paint('dim', time)}  ${paint(colours[who], who.padEnd(whoWidth))}`;
  const [first = '', ...more] = linesOf(who, cleanText(text), room).map((line) =>
    painted(who, line, paint),
  );
  const lines = [`${head}${first}`, ...more.map((line) => `${' '.repeat(margin)}${line}`)];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function linesOf(who: Speaker, text: string, room: number): readonly string[] {
  const lines = wrapText(text, room);
  const most = linesMax(who);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutTo(lines.slice(most - 1).join(' '), room)];
}

const painted = (who: Speaker, line: string, paint: Paint) =>
  who === 'yields' || who === 'progress' ? paint('dim', line) : line;

export function summaryText(played: Played, { paint }: Page): string {
  const { turns, modelRequests, calls, scenarioMs, realMs } = played;
  const facts = [
    counted(turns, 'turn'),
    counted(modelRequests, 'model request'),
    counted(calls.length, 'call'),
    `${clockTime(scenarioMs)} of scenario time in ${(realMs / 1000).toFixed(2)} s`,
  ];
  return `\n  ${paint('dim', facts.join(' · '))}\n\n`;
}
