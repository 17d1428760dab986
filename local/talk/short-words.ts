/** Values in few words, for people who watch a session. */

/** Read as a space, but no line ends there. */
const noBreak = '\u00a0';

const listOf = (value: readonly unknown[]): string =>
  value.length > 3 ? `[${value.length}${noBreak}entries]` : `[${value.map(shortValue).join(', ')}]`;

const fieldsOf = (value: object): string =>
  Object.entries(value)
    .map(([name, field]) => `${name}:${noBreak}${shortValue(field)}`)
    .join(', ');

/** JSON without its noise: no quotes around names, and long lists as their length. */
function shortValue(value: unknown): string {
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object' && value !== null) return `{${fieldsOf(value)}}`;
  if (typeof value === 'string' && isOurId(value)) return shortId(value);
  return JSON.stringify(value) ?? 'nothing';
}

/** Nobody reads the rest of them. */
const isOurId = (text: string) => /^(task|call|sess|user|input)_[\w-]{12,}$/.test(text);

/** The fields of an object without its braces; anything else as it is. */
export function shortFields(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? fieldsOf(value) : shortValue(value);
}

/** What tells a call apart from others of its tool: its first text that is short. */
export function callName(tool: string, args: unknown): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [];
  const word = values.find((value) => typeof value === 'string' && isName(value));
  return word === undefined ? tool : `${tool} ${String(word)}`;
}

const isName = (text: string) => text.length <= 40 && !isOurId(text);

/** A model's own ids may be long; their beginning is enough to tell them apart. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 12)}…` : id);

/** "8m12s" as a clock shows it: 8:12, or 1:00:05 from an hour on. */
export function clockTime(ms: number): string {
  const total = Math.floor(ms / 1000);
  const [hours, minutes, seconds] = [total / 3600, (total / 60) % 60, total % 60].map(Math.floor);
  const two = (n = 0) => String(n).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
