import { createHash } from 'node:crypto';

/** What happened, in order: hashed whole, and the last lines kept for people. */
export interface Trace {
  note(line: string): void;
  /** Asked for once, at the end. */
  hash(): string;
  recent(): readonly string[];
}

const linesKept = 40;

export function newTrace(nowMs: () => number): Trace {
  const hash = createHash('sha256');
  const startMs = nowMs();
  const lines: string[] = [];
  const hashLines = (count: number) => void hash.update(lines.splice(0, count).join('\n'));
  return {
    note(line) {
      lines.push(`${(nowMs() - startMs) / 1000} ${line}`);
      if (lines.length >= 4 * linesKept) hashLines(3 * linesKept);
    },
    hash() {
      hashLines(lines.length);
      return hash.digest('hex');
    },
    recent: () => lines.slice(-linesKept),
  };
}
