import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { progressTextBytesMax } from '../core/limits.ts';
import type { ProgressNote } from '../core/task.ts';
import { clipText } from '../core/text.ts';

/**
 * The newest progress events in one small attribute. Rows of [sequence, percent, atMs, text], each
 * number as its difference to the row before, deflated; the text of the newest stands in full beside it.
 */
type Row = readonly [number, number, number, string?];

/** What the hot item has room for. Rows without a text always fit. */
const notesBytesMax = 160;
const clips = [progressTextBytesMax, 80, 40, 20, 10, 0];

export function packNotes(recent: readonly ProgressNote[]): Uint8Array {
  for (const bytesMax of clips) {
    const packed = deflateRawSync(JSON.stringify(rowsOf(recent, bytesMax)));
    if (packed.length <= notesBytesMax || bytesMax === 0) return packed;
  }
  throw new Error('The last way to clip always answers.');
}

function rowsOf(recent: readonly ProgressNote[], bytesMax: number): readonly Row[] {
  return recent.map(({ sequence, percent, atMs, message }, index): Row => {
    const before = recent[index - 1] ?? { sequence: 0, percent: 0, atMs: 0 };
    const numbers = [
      sequence - before.sequence,
      percent - before.percent,
      atMs - before.atMs,
    ] as const;
    const isNewest = index === recent.length - 1;
    const text = isNewest || bytesMax === 0 ? '' : clipText(message, bytesMax);
    return text === '' ? numbers : [...numbers, text];
  });
}

export function unpackNotes(packed: Uint8Array, newest: string): readonly ProgressNote[] {
  const rows = JSON.parse(inflateRawSync(packed).toString('utf8')) as readonly Row[];
  const notes: ProgressNote[] = [];
  for (const [sequence, percent, atMs, text = ''] of rows) {
    const before = notes.at(-1) ?? { sequence: 0, percent: 0, atMs: 0 };
    notes.push({
      sequence: before.sequence + sequence,
      percent: before.percent + percent,
      atMs: before.atMs + atMs,
      message: notes.length === rows.length - 1 ? newest : text,
    });
  }
  return notes;
}
