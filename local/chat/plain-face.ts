import { paintFor } from '../talk/paint.ts';
import { spokenLines } from '../talk/spoken-lines.ts';
import type { Face } from './face.ts';

const page = { width: 100, paint: paintFor({ isTTY: false }, {}) };

/** One line after another, for a pipe or a file: progress too, and words when they are complete. */
export const plainFace = (write: (text: string) => void): Face => ({
  tell: (who, text) => write(`${spokenLines(who, text, page).join('\n')}\n`),
  speak() {},
  show() {},
});
