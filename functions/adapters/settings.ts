import { asOwner, isOwnerName, type Owner } from '../core/ids.ts';
import { claimDefaultMs, graceDefaultMs, holdDefaultMs } from '../core/limits.ts';
import type { Settings } from '../ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is missing or makes no sense: the sentence says which, a stack would add nothing. */
export type WrongSetting = Error & { readonly name: 'WrongSetting' };

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
});

export interface NumberRange {
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

export interface ApiKey {
  readonly owner: Owner;
  readonly key: string;
}

/** `alice:key1,bob:key2`. The same owner may stand twice, so that a key can be changed without a gap. */
export function readApiKeys(text: string | undefined): readonly ApiKey[] {
  const entries = (text ?? '').split(',').filter((entry) => entry.trim() !== '');
  const keys = entries.map(readApiKey);
  const owners = new Map<string, Owner>();
  for (const { owner, key } of keys) {
    const other = owners.get(key) ?? owner;
    if (other !== owner) {
      throw wrongSetting(
        `API_KEYS gives ${other} and ${owner} the same key: a key is of one owner.`,
      );
    }
    owners.set(key, owner);
  }
  return keys;
}

function readApiKey(entry: string): ApiKey {
  const cut = entry.indexOf(':');
  const owner = entry.slice(0, cut).trim();
  const key = entry.slice(cut + 1).trim();
  if (cut >= 1 && isOwnerName(owner) && key.length >= 4) return { owner: asOwner(owner), key };
  throw wrongSetting(
    'API_KEYS must read owner:key,owner:key; an owner has 1 to 64 letters, digits or _ . @ - ' +
      'and not only dots, a key at least 4 characters.',
  );
}
