import { claimDefaultMs, graceDefaultMs, holdDefaultMs } from '../core/limits.ts';
import { webhookScheduleDefaultMs } from '../core/webhook-limits.ts';
import type { Settings } from '../ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is missing or makes no sense: the sentence says which, a stack would add nothing. */
type WrongSetting = Error & { readonly name: 'WrongSetting' };

export const wrongSetting = (sentence: string): WrongSetting =>
  Object.assign(new Error(sentence), { name: 'WrongSetting' as const });

export const isWrongSetting = (thrown: unknown): thrown is WrongSetting =>
  thrown instanceof Error && thrown.name === 'WrongSetting';

/** What a function must be told; a missing name stops it at its start, by name. */
export function requireSettings<Name extends string>(
  env: Environment,
  names: readonly Name[],
): Record<Name, string> {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw wrongSetting(`Missing in the environment: ${missing.join(', ')}.`);
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}

export const readSettings = (env: Environment): Settings => ({
  claimMs: readNumber(env, 'CLAIM_S', { least: 1, most: 43_200 }, claimDefaultMs / 1000) * 1000,
  graceMs: readNumber(env, 'GRACE_MS', { least: 0, most: 25_000 }, graceDefaultMs),
  holdMs: readNumber(env, 'HOLD_MS', { least: 0, most: 600_000 }, holdDefaultMs),
  publicUrl: readUrl(env, 'PUBLIC_URL'),
  webhookScheduleMs: readSchedule(env, 'WEBHOOK_SCHEDULE_S'),
});

/** Seconds with commas between them: the waits before each attempt. */
function readSchedule(env: Environment, name: string): readonly number[] {
  const text = env[name];
  if (!text) return webhookScheduleDefaultMs;
  if (/^\d{1,7}(\.\d+)?(,\d{1,7}(\.\d+)?){0,99}$/.test(text)) {
    return text.split(',').map((seconds) => Number(seconds) * 1000);
  }
  throw wrongSetting(`${name} must be seconds with commas between them, not "${text}".`);
}

interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
}

/** Digits only: JavaScript would also take ' ' for zero and '0x10' for sixteen. */
export function readNumber(
  env: Environment,
  name: string,
  { least, most, whole = false }: NumberRange,
  fallback: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw wrongSetting(`${name} must be ${kind} from ${least} to ${most}, not "${text}".`);
}

/** Without a slash at its end; empty when it is not set. */
function readUrl(env: Environment, name: string): string {
  const text = env[name] ?? '';
  if (text !== '' && !(URL.canParse(text) && /^https?:/.test(text))) {
    throw wrongSetting(`${name} must be an address with http:// or https://, not "${text}".`);
  }
  return text.replace(/\/+$/, '');
}
