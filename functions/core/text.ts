/** Cut a text to at most so many UTF-8 bytes, never through a character. */
export function clipText(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  const kept = bytes.subarray(0, bytesMax - ellipsisBytes).toString('utf8');
  // A character cut in two decodes to the replacement mark.
  return `${kept.replace(/\uFFFD+$/, '')}…`;
}

const ellipsisBytes = 3;

export const bytesOf = (text: string) => Buffer.byteLength(text);

/** The place of the character that stands at a byte of a UTF-8 text: its first byte. */
export function characterAt(bytes: Uint8Array, place: number): number {
  let at = Math.min(place, bytes.length);
  // A byte that goes on with a character begins with 10 in binary.
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** With half a character in it a text is no Unicode, and providers refuse the whole request for it. */
export const wellFormed = (text: string): string => Buffer.from(text).toString('utf8');
