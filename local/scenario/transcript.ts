import { clockTime, counted } from '../talk/short-words.ts';
import { spokenLines, type Page } from '../talk/spoken-lines.ts';
import { wrapText } from '../talk/text-layout.ts';
import type { Moment } from './moment.ts';
import type { Played } from './play-scenario.ts';
import type { Scenario } from './scenario-file.ts';

const timeWidth = 8;
const margin = ' '.repeat(timeWidth + 2);

export function titleText({ title, about }: Scenario, { width, paint }: Page): string {
  const lines = about === undefined ? [] : wrapText(about, width - 2);
  return `\n  ${paint('bold', title)}\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

/** One moment: when, who, and what. */
export function momentText({ atMs, who, text }: Moment, { width, paint }: Page): string {
  const time = paint('dim', clockTime(atMs).padStart(timeWidth));
  const lines = spokenLines(who, text, { width: width - margin.length, paint });
  return lines
    .map((line, index) => `${index === 0 ? `${time}  ` : margin}${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

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
