/** What a log may tell of an error that nobody expected. */
interface Fault {
  readonly error: string;
  /** Where it was thrown, the innermost place first. */
  readonly stack: string | undefined;
}

/** Its name and its places, never what it says: that may be what a caller said. */
export function faultOf(thrown: unknown): Fault {
  if (!(thrown instanceof Error)) return { error: typeof thrown, stack: undefined };
  const { name, message, stack = '' } = thrown;
  // A message of several lines could look like places.
  const below = stack.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length)
    : stack;
  const places = below.split('\n').filter((line) => frame.test(line));
  return { error: name, stack: places.map(placeIn).join(' < ') || undefined };
}

const frame = /^ {4}at .*(:\d+:\d+|<anonymous>|\(native\))\)?$/;

const placeIn = (line: string) => line.replace(/^ {4}at /, '');
