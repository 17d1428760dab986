import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { startProblem, tryFile } from './start-problem.ts';

/** A message that was accepted and not deleted. */
export interface JournalMessage {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly visibleAtMs: number;
}

type Line =
  ({ readonly kind: 'sent' } & JournalMessage) | { readonly kind: 'gone'; readonly id: string };

/**
 * What fauxqs forgets when its process dies: every accepted send and every delete, a line each. A line
 * is in the file before its request is answered, so whatever was accepted survives kill -9.
 */
export interface QueueJournal {
  /** What an earlier process left behind. */
  readonly leftovers: readonly JournalMessage[];
  sent(message: JournalMessage): void;
  gone(id: string): void;
  /** The leftovers have been sent again: from here on the new file is the journal. */
  takeOver(): void;
  close(): void;
}

export function openJournal(path: string): QueueJournal {
  const leftovers = tryFile(path, () => readLeftovers(path));
  const fresh = `${path}.new`;
  const file = tryFile(fresh, () => openSync(fresh, 'w', 0o600));
  const append = (line: Line) => void writeSync(file, `${JSON.stringify(line)}\n`);
  return {
    leftovers,
    sent: (message) => append({ kind: 'sent', ...message }),
    gone: (id) => append({ kind: 'gone', id }),
    takeOver: () => renameSync(fresh, path),
    close: () => closeSync(file),
  };
}

function readLeftovers(path: string): readonly JournalMessage[] {
  if (!existsSync(path)) return [];
  const open = new Map<string, JournalMessage>();
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const line = readLine(text);
    // A kill may cut the last line; a broken line before it is damage.
    if (!line && index >= lines.length - 2) break;
    if (!line)
      throw startProblem(`${path} is damaged at line ${index + 1}: restore it or move it away.`);
    if (line.kind === 'sent') open.set(line.id, line);
    else open.delete(line.id);
  }
  return [...open.values()];
}

function readLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return isWhole(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

function isWhole(line: Line): boolean {
  if (line.kind === 'gone') return typeof line.id === 'string';
  const { kind, id, queue, body, visibleAtMs } = line;
  const isText = [id, queue, body].every((part) => typeof part === 'string');
  return kind === 'sent' && isText && typeof visibleAtMs === 'number';
}
