import { randomBytes } from 'node:crypto';
import { readApiKeys } from '../functions/adapters/api-keys.ts';
import { wrongSetting } from '../functions/adapters/settings.ts';
import { apiKeyText, digestOfKey } from '../functions/core/api-key.ts';

export interface NewKey {
  /** For its owner, this once. */
  readonly key: string;
  /** For API_KEYS, or for a line of the secret on AWS: it lets nobody in. */
  readonly entry: string;
}

/** A fresh key for an owner, until a date if there is one. A wrong name or date throws its sentence. */
export function newKey(owner: string, until?: string): NewKey {
  const key = apiKeyText(randomBytes(32).toString('base64url'));
  const entry = `${owner}:sha256:${digestOfKey(key)}${until === undefined ? '' : `@${until}`}`;
  const [read] = readApiKeys(entry, { name: 'The entry' });
  if ((read?.untilMs ?? Infinity) <= Date.now()) throw wrongSetting(`${until} is over already.`);
  const isMeant = read?.owner === owner && (read.untilMs === undefined) === (until === undefined);
  if (!isMeant) throw wrongSetting(keysUsage);
  return { key, entry };
}

export const keysUsage = 'Usage: npm run keys -- new <owner> [<expiry, such as 2027-01-01>]';

export function tellKey({ key, entry }: NewKey): string {
  return `The key, shown this once:

  ${key}

Its entry for API_KEYS (or a line of the API key secret on AWS). Keep the owner's old entry beside it until
nobody uses the old key any more:

  ${entry}
`;
}
