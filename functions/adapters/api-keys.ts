import { digestOfKey, type ApiKey } from '../core/api-key.ts';
import { asOwner, isOwnerName, type Owner } from '../core/ids.ts';
import { wrongSetting } from './settings.ts';

interface KeysSource {
  /** What to blame in a sentence. */
  readonly name: string;
  /** Whose a key is that stands without an owner. */
  readonly bareOwner?: Owner;
}

/**
 * `owner:key`, or `owner:sha256:<digest>` where the key itself shall not stand; either may end with
 * `@2027-01-01` (or a time of that day in UTC), from when on it is refused. Entries are separated by
 * commas or lines. An owner may have several, so that a key can be changed without a gap.
 */
export function readApiKeys(
  text: string | undefined,
  source: KeysSource = { name: 'API_KEYS' },
): readonly ApiKey[] {
  const entries = (text ?? '').split(/[,\r\n]/).map((entry) => entry.trim());
  const keys = entries.filter((entry) => entry !== '').map((entry) => readKey(entry, source));
  refuseDoubles(keys, source);
  return keys;
}

function readKey(entry: string, source: KeysSource): ApiKey {
  const [, whole = entry, until] = /^(.*)@(\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?)$/.exec(entry) ?? [];
  const [, name, given] = /^([^:]*?)\s*:\s*(.*)$/.exec(whole) ?? [];
  const owner = name ?? source.bareOwner;
  const key = given ?? whole;
  if (owner === undefined || !isOwnerName(owner) || !isKey(key)) throw wrongForm(source);
  return {
    owner: asOwner(owner),
    digest: key.startsWith('sha256:') ? key.slice(7).toLowerCase() : digestOfKey(key),
    untilMs: until === undefined ? undefined : readTime(until, source),
  };
}

/** A digest that was cut or mistyped must not become a key in clear. */
const isKey = (key: string) =>
  key.startsWith('sha256:') ? /^sha256:[0-9a-f]{64}$/i.test(key) : key.trim().length >= 4;

function readTime(text: string, { name }: KeysSource): number {
  const ms = Date.parse(text);
  // 2027-02-30 is read as the second of March by some: only a date that comes back as itself is one.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10))) return ms;
  throw wrongSetting(`${name} lets a key expire on ${text}, which is no date.`);
}

function refuseDoubles(keys: readonly ApiKey[], { name }: KeysSource): void {
  const known = new Map<string, ApiKey>();
  for (const key of keys) {
    const other = known.get(key.digest) ?? key;
    if (other.owner !== key.owner) {
      throw wrongSetting(
        `${name} gives ${other.owner} and ${key.owner} the same key: a key is of one owner.`,
      );
    }
    if (other.untilMs !== key.untilMs)
      throw wrongSetting(`${name} lets the same key of ${key.owner} expire at two times.`);
    known.set(key.digest, key);
  }
}

const wrongForm = ({ name }: KeysSource) =>
  wrongSetting(
    `${name} must read owner:key,owner:key; an owner has 1 to 64 letters, digits or _ . @ - ` +
      'and not only dots, a key at least 4 characters or the form sha256:<64 hex digits>.',
  );
