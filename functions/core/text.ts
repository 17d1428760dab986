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
