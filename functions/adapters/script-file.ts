/** A conversation written down beforehand, one step per reply. */
export type Script = readonly ScriptStep[];

export interface ScriptStep {
  readonly when: { readonly textIncludes?: string; readonly responseFor?: string };
  readonly text: string;
  readonly calls: readonly ScriptCall[];
  readonly delayMs: number;
  /** Plays a provider's error, once. */
  readonly status: number | undefined;
}

interface ScriptCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: unknown;
}

/** The script of a file, or in one sentence why there is none. It never says what stands in the file. */
export function readScript(file: string, readText: (file: string) => string): Script | string {
  const wrong = (what: string) => `The script ${file} cannot be played: ${what}.`;
  const text = attempt(() => readText(file));
  if (text === undefined) return wrong('there is no such file to read');
  const json = attempt((): unknown => JSON.parse(text));
  if (json === undefined) return wrong('it is not JSON');
  if (!Array.isArray(json)) return wrong('it is not a list of steps');
  const flaws = json.map((step: unknown) => flawOf(step));
  const place = flaws.findIndex((flaw) => flaw !== undefined);
  if (place !== -1) return wrong(`in step ${place + 1} ${flaws[place] ?? ''}`);
  return json.map((step) => stepOf(step as WrittenStep));
}

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

interface WrittenStep {
  readonly when?: { readonly text_includes?: string; readonly response_for?: string };
  readonly text?: string;
  readonly tool_calls?: readonly WrittenCall[];
  readonly delay_ms?: number;
  readonly status?: number;
}

interface WrittenCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: unknown;
}

/** A step that says and does nothing would leave no trace in the history, and be played for ever. */
function stepOf(step: WrittenStep): ScriptStep {
  const { when = {}, tool_calls: calls = [], delay_ms: delayMs = 0, status } = step;
  const { text_includes: textIncludes, response_for: responseFor } = when;
  return {
    when: {
      ...(textIncludes === undefined ? {} : { textIncludes }),
      ...(responseFor === undefined ? {} : { responseFor }),
    },
    text: step.text || (calls.length === 0 ? 'ok' : ''),
    calls: calls.map(({ id, name, arguments: args = {} }) => ({ id, name, arguments: args })),
    delayMs,
    status,
  };
}

const conditions = ['text_includes', 'response_for'];

function flawOf(step: unknown): string | undefined {
  if (!isObject(step)) return 'there is no object';
  const { when = {}, text, tool_calls: calls = [], delay_ms: delayMs = 0, status = 400 } = step;
  // A condition that is misspelt would match everything.
  if (!isObject(when) || !Object.keys(when).every((key) => conditions.includes(key))) {
    return `when is not {${conditions.join(', ')}}`;
  }
  if (!Object.values(when).every(isTextOrNothing)) return 'a condition is not a text';
  if (!isTextOrNothing(text)) return 'text is not a text';
  if (!Array.isArray(calls) || !calls.every(isCall)) {
    return 'tool_calls is not a list of {id, name, arguments}';
  }
  if (!isNumber(delayMs) || delayMs < 0) return 'delay_ms is not a number of milliseconds';
  return isNumber(status) && status >= 400 && status <= 599
    ? undefined
    : 'status is not an HTTP error';
}

const isCall = (value: unknown) =>
  isObject(value) && typeof value.name === 'string' && isTextOrNothing(value.id);

const isTextOrNothing = (value: unknown) => value === undefined || typeof value === 'string';

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
