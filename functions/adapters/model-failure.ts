import { delayMsMax, modelRetryMs } from '../core/limits.ts';
import type { ModelOutcome } from '../core/model.ts';
import { clipText } from '../core/text.ts';

/** How a provider says no. Read by shape, because the SDK's classes differ from version to version. */
export type ModelFailure = Exclude<ModelOutcome, { readonly kind: 'reply' }>;

/** Enough for the sentence that names the flaw; what follows it tends to repeat the request. */
const detailBytesMax = 300;

export const busy = (detail: string, afterMs: number = modelRetryMs): ModelFailure => ({
  kind: 'busy',
  afterMs,
  detail,
});

export const aborted: ModelFailure = busy('aborted', 0);

/** The failure that an error stands for; undefined when it is none of the provider's. */
export function failureOf(error: unknown): ModelFailure | undefined {
  const signs = signsOf(error);
  const status = signs.status ?? statusByType(signs.type);
  if (status !== undefined) return failureByStatus(status, signs);
  if (isOutage(signs)) return busy('The provider cannot be reached.');
  if (isUnreadable(signs)) return busy("The provider's answer cannot be read.");
  // What is left of the SDK's own errors are settings and features that no repetition cures.
  if (signs.name.startsWith('AI_')) return { kind: 'refused', detail: plainWords(signs.message) };
  return undefined;
}

interface Signs {
  readonly name: string;
  readonly message: string;
  readonly type: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function signsOf(error: unknown): Signs {
  const fields = fieldsOf(error);
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : '');
  return {
    name: text('name'),
    message: text('message'),
    type: text('type'),
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    headers: fieldsOf(fields.responseHeaders),
    body: text('responseBody'),
  };
}

/** An error's name stands on its prototype, so the object is read through and not copied. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Errors inside a stream come after a 200 and carry only their type. */
function statusByType(type: string): number | undefined {
  const statuses: Readonly<Record<string, number>> = {
    invalid_request_error: 400,
    authentication_error: 401,
    permission_error: 403,
    not_found_error: 404,
    request_too_large: 413,
    rate_limit_error: 429,
    api_error: 500,
    timeout_error: 504,
    overloaded_error: 529,
  };
  return statuses[type];
}

function failureByStatus(status: number, signs: Signs): ModelFailure {
  if (status < 400) return busy("The provider's answer cannot be read.");
  if (status === 401 || status === 403) {
    return { kind: 'refused', detail: `${status}: the provider does not accept the credentials.` };
  }
  const detail = `${status}: ${plainWords(signs.message)}`;
  const isWaiting = [408, 409, 424, 425, 429].includes(status) || status >= 500;
  // A used-up quota answers 429 as well, and no waiting brings it back.
  if (!isWaiting || signs.body.includes('insufficient_quota')) return { kind: 'refused', detail };
  return busy(detail, retryAfterMs(signs.headers));
}

function retryAfterMs(headers: Signs['headers']): number {
  const inMs = Number(headers['retry-after-ms'] ?? Number.NaN);
  const inS = headers['retry-after'];
  const ms = Number.isFinite(inMs) ? inMs : msOf(inS);
  return Number.isFinite(ms) ? Math.min(delayMsMax, Math.max(0, Math.round(ms))) : modelRetryMs;
}

/** Seconds, or the date of HTTP. */
function msOf(retryAfter: unknown): number {
  if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return Number.NaN;
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
}

/** Without a status an API call has met no server; a bare TypeError is what fetch throws mid-way. */
const isOutage = ({ name }: Signs) =>
  ['AI_APICallError', 'TypeError', 'AbortError', 'TimeoutError'].includes(name);

const isUnreadable = ({ name }: Signs) =>
  [
    'AI_JSONParseError',
    'AI_TypeValidationError',
    'AI_InvalidResponseDataError',
    'AI_EmptyResponseBodyError',
    'AI_NoContentGeneratedError',
  ].includes(name);

/** A provider's words without what must not be passed on: keys, and texts of the request it repeats. */
function plainWords(message: string): string {
  const [line = ''] = message.split('\n');
  if (/(?:JSON parsing|Type validation) failed/.test(line)) return 'what it says cannot be read.';
  const safe = keyShapes
    .reduce((text, shape) => text.replaceAll(shape, '[key]'), line)
    .replace(/\binput(?:_value)?\s*[=:].*$/i, '…')
    .replaceAll(quoted, (whole, mark: string, inside: string) =>
      isName(inside) ? whole : `${mark}…${mark}`,
    )
    .replace(unclosed, '…');
  return clipText(safe, detailBytesMax) || 'no reason given';
}

const keyShapes = [
  /\b(?:sk|pk|key|gsk|xai)-[\w*.-]{4,}/gi,
  /\b(?:AKIA|ASIA)[A-Z0-9*]{4,}/g,
  /\bBearer\s+\S+/gi,
];

/** A mark inside a word is an apostrophe. */
const quoted = /(?<!\w)(["'`])((?:(?!\1).)*)\1(?!\w)/g;
const unclosed = /(?<!\w)(["'`])(?:(?!\1).){65,}$/;

/** Fields and ids are one word; more than one is somebody's text. */
const isName = (inside: string) => /^\S{0,64}$/.test(inside);
