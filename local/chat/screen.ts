import { widthOf } from '../talk/text-layout.ts';

/** The part of a terminal that is written to. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

/** What stands below everything that was said, and is drawn anew all the time. */
interface Footer {
  readonly lines: readonly string[];
  /** The line that is typed, and the column of the cursor in it. */
  readonly prompt: string;
  readonly cursor: number;
}

export interface Screen {
  /** Write lines that stay, above the footer. */
  say(lines: readonly string[]): void;
  draw(): void;
  /** Leave the terminal as it was found, below what was said. */
  close(lines: readonly string[]): void;
}

const escape = '\u001b[';
const upBy = (rows: number) => (rows > 0 ? `${escape}${rows}A` : '');
const toColumn = (column: number) => `${escape}${column + 1}G`;
const clearBelow = `${escape}J`;
/** A line that is too wide in spite of all counting is cut by the terminal, and does not take two rows. */
const wrapOff = `${escape}?7l`;
const wrapOn = `${escape}?7h`;

/** A terminal whose last rows are a footer; all else scrolls as in any other program. */
export function openScreen(terminal: Terminal, footer: () => Footer): Screen {
  let rowsBelow = 0;
  const erase = () => `${upBy(rowsBelow)}\r${clearBelow}`;
  const drawn = () => {
    const { lines, prompt, cursor } = footer();
    // The newest lines are the ones to see when there are more than the terminal has rows.
    const shown = lines.slice(-Math.max(0, terminal.rows - 2));
    rowsBelow = shown.length;
    const text = [...shown, prompt].join('\r\n');
    return `${wrapOff}${text}${wrapOn}${toColumn(Math.min(cursor, terminal.columns - 1))}`;
  };
  const written = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');
  return {
    say: (lines) => terminal.write(`${erase()}${written(lines)}${drawn()}`),
    draw: () => terminal.write(`${erase()}${drawn()}`),
    close(lines) {
      terminal.write(`${erase()}${written(lines)}`);
      rowsBelow = 0;
    },
  };
}

/** The part of a typed line that fits into one row, with the cursor in sight. */
export function windowOn(
  line: string,
  cursor: number,
  width: number,
): Pick<Footer, 'prompt' | 'cursor'> {
  let from = 0;
  while (widthOf(line.slice(from, cursor)) >= width) from += 1;
  let to = line.length;
  while (widthOf(line.slice(from, to)) > width) to -= 1;
  return { prompt: line.slice(from, to), cursor: widthOf(line.slice(from, cursor)) };
}
