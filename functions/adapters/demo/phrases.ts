/** Small pieces of language for the demo. */

/** "Ada, Ben and Clara", or "Ada, Ben, Clara and 7 more". There may be more than have names here. */
export function listed(names: readonly string[], most = 6, total = names.length): string {
  const shown = total > most ? names.slice(0, most - 1) : names;
  const rest = total - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** "8m12s", "PT8M12S" or a number of seconds in words; anything else as it is. */
export function durationWords(duration: unknown): string | undefined {
  if (typeof duration === 'number' && Number.isFinite(duration)) return secondsWords(duration);
  if (typeof duration !== 'string' || duration.trim() === '') return undefined;
  const found = /^P?T?(?:(\d+)\s*h)?\s*(?:(\d+)\s*m)?\s*(?:(\d+(?:\.\d+)?)\s*s)?$/i.exec(
    duration.trim(),
  );
  if (!found || !/\d/.test(found[0])) return duration.trim();
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  return secondsWords((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0));
}

function secondsWords(total: number): string {
  if (total < 60) return counted(Math.round(total * 10) / 10, 'second');
  const whole = Math.round(total);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ];
  return parts.flatMap(([count, noun]) => (count > 0 ? [counted(count, noun)] : [])).join(' ');
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Ends with a full stop unless it ends with a mark of its own. */
export const sentence = (text: string) =>
  /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
