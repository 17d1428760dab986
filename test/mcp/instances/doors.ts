import { loopbackAuth, type Authenticate } from '../../../functions/api/auth.ts';
import { asOwner } from '../../../functions/core/ids.ts';
import { allRights } from '../../../functions/core/oauth.ts';
import { ok, refuse } from '../../../functions/core/result.ts';
import type { Settings } from '../../../functions/ports.ts';

/** How long a door holds its calls. A worker that dies is noticed after the same time behind each of them. */
const doors = {
  hasty: { graceMs: 4000, holdMs: 0 },
  short: { graceMs: 2000, holdMs: 6000 },
  long: { graceMs: 2000, holdMs: 20_000 },
  /** Needs no key: some clients cannot send one. */
  open: { graceMs: 6000, holdMs: 0 },
} as const;

export type DoorName = keyof typeof doors;
export const doorNames = Object.keys(doors) as readonly DoorName[];

export interface DoorOptions {
  readonly settings: Pick<Settings, 'graceMs' | 'holdMs' | 'claimMs'>;
  readonly authenticate: Authenticate;
}

export const doorOptions = (name: DoorName): DoorOptions => ({
  settings: { ...doors[name], claimMs: 16_000 },
  authenticate: name === 'open' ? loopbackAuth : anyOwner,
});

/** Whoever says `key-of-<name>` is that owner; nobody else is anyone. */
const anyOwner: Authenticate = async (headers) => {
  const [, name] = /^Bearer key-of-([\w-]+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return name === undefined
    ? refuse({ reason: 'unauthorized', detail: 'Send a key.' })
    : ok({ owner: asOwner(name), rights: allRights });
};
