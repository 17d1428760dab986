import { createHash } from 'node:crypto';
import type { Owner } from './ids.ts';

/** A key as the house knows it: only whoever was given it has it in clear. */
export interface ApiKey {
  readonly owner: Owner;
  /** SHA-256 in hex. Keys we make have 256 bits of chance, so nothing slower is needed. */
  readonly digest: string;
  /** It is refused from then on. */
  readonly untilMs?: number | undefined;
}

/**
 * `bmr_<prefix id>.<secret>`: the form of the keys we make. The prefix id is the beginning of the secret's
 * digest. So it finds the entry of a key, and a person sees which entry is whose, without telling the key.
 */
export const apiKeyText = (secret: string) => `bmr_${prefixIdOf(sha256(secret))}.${secret}`;

/** Of the secret alone in a key we made, else of the whole text: such keys were chosen elsewhere. */
export function digestOfKey(key: string): string {
  const [, id, secret] = /^bmr_([0-9a-f]{12})\.(.+)$/.exec(key) ?? [];
  const digest = sha256(secret ?? key);
  return secret === undefined || prefixIdOf(digest) === id ? digest : sha256(key);
}

export const prefixIdOf = (digest: string) => digest.slice(0, 12);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
