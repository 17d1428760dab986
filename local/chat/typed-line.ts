import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Typing {
  /** The line as it is typed, and the place of the cursor in it. */
  readonly line: string;
  readonly cursor: number;
  close(): void;
}

interface Typist {
  typed(line: string): void;
  /** A key was pressed: what is shown may be old. */
  moved(): void;
  interrupted(): void;
  left(): void;
}

/**
 * The line that is being typed. Readline edits it and remembers those before it, but draws nothing: what
 * it writes goes nowhere, because whoever draws has more to draw than a line.
 */
export function startTyping(input: NodeJS.ReadStream, typist: Typist): Typing {
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const readline: Interface = createInterface({
    input,
    output: nowhere,
    terminal: true,
    prompt: '',
  });
  readline.on('line', (line) => typist.typed(line));
  readline.on('SIGINT', () => typist.interrupted());
  readline.on('SIGCONT', () => typist.moved());
  readline.on('close', () => typist.left());
  // Registered after readline's own, so the line has changed by then.
  input.on('keypress', () => typist.moved());
  return {
    get line() {
      return readline.line;
    },
    get cursor() {
      return readline.cursor;
    },
    close: () => readline.close(),
  };
}
