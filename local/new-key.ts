import { randomBytes } from 'node:crypto';
import { readApiKeys } from '../functions/adapters/api-keys.ts';
import { wrongSetting } from '../functions/adapters/settings.ts';
import { apiKeyText, digestOfKey } from '../functions/core/api-key.ts';

interface NewKey {
  /** For its owner, this once. */
  readonly key: string;
  /** For API_KEYS, or for a line of the secret on AWS: it lets nobody in. */
  readonly entry: string;
}

/** A fresh key for an owner, until a date if there is one. A wrong name or date throws its sentence. */
export function newKey(owner: string, until?: string): NewKey {
  if (until !== undefined && !dateForm.test(until)) throw noDate(until);
  const key = apiKeyText(randomBytes(32).toString('base64url'));
  const entry = `${owner}:sha256:${digestOfKey(key)}${until === undefined ? '' : `@${until}`}`;
  const [read] = readApiKeys(entry, { name: 'The entry' });
  if ((read?.untilMs ?? Infinity) <= Date.now()) throw wrongSetting(`${until} is over already.`);
  if (read?.owner !== owner) throw wrongSetting(keysUsage);
  return { key, entry };
}

/** What does not look like one would become a part of the key. */
const dateForm = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

const noDate = (text: string) =>
  wrongSetting(`"${text}" is no date: a key expires on a day such as 2027-01-01.`);

export const keysUsage = 'Usage: npm run keys -- new <owner> [<expiry, such as 2027-01-01>]';

export function tellKey({ key, entry }: NewKey): string {
  return `The key, shown this once:

  ${key}

Its entry for API_KEYS (or a line of the API key secret on AWS). Keep the owner's old entry beside it until
nobody uses the old key any more:

  ${entry}
`;
}
