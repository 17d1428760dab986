import type { Paint } from '../talk/paint.ts';
import { clockTime } from '../talk/short-words.ts';
import { spokenLines, whoWidth, type Page } from '../talk/spoken-lines.ts';
import { cutTo, oneLine, progressBar } from '../talk/text-layout.ts';
import type { Face, RunningCall } from './face.ts';
import { openScreen, windowOn, type Screen, type Terminal } from './screen.ts';
import type { Typing } from './typed-line.ts';

export interface TerminalFace extends Face {
  readonly screen: Screen;
}

/** Wider lines are hard to read. */
const widthMax = 110;
const narrow = 72;
const promptSign = 'you ▸'.padEnd(whoWidth);

/** What is said scrolls by; below it the words being spoken, a bar for each call, and the line that is typed. */
export function terminalFace(
  terminal: Terminal,
  paint: Paint,
  typing: () => Pick<Typing, 'line' | 'cursor'>,
): TerminalFace {
  let [spoken, calls]: [string, readonly RunningCall[]] = ['', []];
  const page = (): Page => ({ width: Math.min(terminal.columns - 1, widthMax), paint });
  const screen = openScreen(terminal, () => {
    const { line, cursor } = typing();
    const before = oneLine(line.slice(0, cursor)).length;
    const seen = windowOn(oneLine(line), before, terminal.columns - promptSign.length - 1);
    return {
      lines: [
        ...(spoken === '' ? [] : spokenLines('model', spoken, page())),
        ...(calls.length === 0 ? [] : ['']),
        ...calls.map((call) => barLine(call, page())),
      ],
      prompt: `${paint('cyan', promptSign)}${seen.prompt}`,
      cursor: promptSign.length + seen.cursor,
    };
  });
  return {
    screen,
    tell(who, text) {
      // Bars show it already.
      if (who !== 'progress') screen.say(spokenLines(who, text, page()));
    },
    speak(text) {
      spoken = text;
      screen.draw();
    },
    show(running) {
      calls = running;
      screen.draw();
    },
  };
}

function barLine(call: RunningCall, { width, paint }: Page): string {
  const { percent, name, message, isCancelling, sinceMs } = call;
  const bar = progressBar(percent, width < narrow ? 8 : 20);
  const time = clockTime(Date.now() - sinceMs);
  const words = isCancelling ? 'is being cancelled' : message;
  const text = cutTo(oneLine(`${time}  ${name}  ${words}`), width - whoWidth - bar.length - 2);
  return `${' '.repeat(whoWidth)}${paint('yellow', bar)}  ${text}`;
}
