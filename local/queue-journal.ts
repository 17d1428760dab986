import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { bytesOf } from '../functions/core/text.ts';
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

/** Beyond this size a journal that is mostly about messages gone is written anew. */
const compactBytesMin = 4 * 1024 * 1024;

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

export function openJournal(path: string, compactAtBytes = compactBytesMin): QueueJournal {
  const leftovers = tryFile(path, () => readLeftovers(path));
  const fresh = `${path}.new`;
  const open = openMessages();
  let file = newFile(fresh, []);
  let isJournal = false;
  /** Written aside and renamed: a kill leaves either the old journal or the new one, both whole. */
  const compact = () => {
    const next = newFile(fresh, open.lines());
    renameSync(fresh, path);
    file.close();
    file = next;
  };
  const append = (line: Line) => {
    const text = `${JSON.stringify(line)}\n`;
    file.append(text);
    open.note(line, text);
    if (isJournal && file.bytes() > compactAtBytes && open.bytes() < file.bytes() / 2) compact();
  };
  return {
    leftovers,
    sent: (message) => append({ kind: 'sent', ...message }),
    gone: (id) => append({ kind: 'gone', id }),
    takeOver() {
      renameSync(fresh, path);
      isJournal = true;
    },
    close: () => file.close(),
  };
}

function newFile(path: string, lines: Iterable<string>) {
  const file = tryFile(path, () => openSync(path, 'w', 0o600));
  let bytes = 0;
  const append = (text: string) => {
    writeSync(file, text);
    bytes += bytesOf(text);
  };
  for (const line of lines) append(line);
  return { append, bytes: () => bytes, close: () => closeSync(file) };
}

/** The lines that a journal written anew would have. */
function openMessages() {
  const lines = new Map<string, string>();
  let bytes = 0;
  const forget = (id: string) => {
    bytes -= bytesOf(lines.get(id) ?? '');
    lines.delete(id);
  };
  return {
    note(line: Line, text: string) {
      forget(line.id);
      if (line.kind === 'gone') return;
      lines.set(line.id, text);
      bytes += bytesOf(text);
    },
    lines: () => lines.values(),
    bytes: () => bytes,
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
