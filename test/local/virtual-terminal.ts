/** A terminal in memory that understands what the chat writes: its screen is what a person would see. */
export function virtualTerminal(columns: number, rows: number) {
  const lines: string[] = [''];
  let [row, column] = [0, 0];
  const put = (letter: string) => {
    const line = (lines[row] ?? '').padEnd(column);
    // With wrapping off, what is too wide stays on the last column.
    const at = Math.min(column, columns - 1);
    lines[row] = line.slice(0, at) + letter + line.slice(at + 1);
    column = Math.min(column + 1, columns - 1);
  };
  const obey = (count: number, command: string) => {
    if (command === 'A') row = Math.max(0, row - count);
    if (command === 'G') column = count - 1;
    if (command !== 'J') return;
    lines.length = row + 1;
    lines[row] = (lines[row] ?? '').slice(0, column);
  };
  return {
    columns,
    rows,
    write(text: string) {
      // oxlint-disable-next-line no-control-regex -- what begins a command
      for (const [piece, count = '', command] of text.matchAll(/\u001b\[\??(\d*)([A-Za-z])|[^]/g)) {
        if (command !== undefined) obey(Number(count || 1), command);
        else if (piece === '\r') column = 0;
        else if (piece === '\n') row += 1;
        else put(piece);
        while (lines.length <= row) lines.push('');
      }
      return true;
    },
    get screen(): readonly string[] {
      return lines.map((line) => line.trimEnd());
    },
    get cursor() {
      return { row, column };
    },
  };
}
