import { compact } from '../../functions/core/compaction.ts';
import { renderHistory } from '../../functions/core/history.ts';
import { groupMessages } from '../../functions/core/legality.ts';
import type { ModelProfile } from '../../functions/core/model.ts';
import type { Chance } from '../simulation/chance.ts';
import { blocksOf, flawsOf } from './checks.ts';
import { play } from './conversation.ts';
import type { Player, Request } from './table.ts';

export type Rules = Pick<Player, 'render' | 'squeeze'>;

export const ourRules: Rules = { render: renderHistory, squeeze: compact };

/** Play one conversation for profiles that take the same history; give the first flaw found. */
export function findFlaw(
  chance: Chance,
  profiles: readonly [ModelProfile, ...ModelProfile[]],
  count: (what: string) => void = () => {},
  rules: Rules = ourRules,
): string | undefined {
  const [profile] = profiles;
  const found: string[] = [];
  const apart = profiles.find(({ textBesideResponses }) => !textBesideResponses) ?? profile;
  let sent: readonly [string, string] | undefined;
  let last: Request | undefined;
  play({
    chance,
    profile,
    ...rules,
    count,
    look(request, told) {
      count('request');
      const beside = groupMessages(request.entries, profile);
      const split = apart === profile ? beside : groupMessages(request.entries, apart);
      const messagesFor = (one: ModelProfile) => (one.textBesideResponses ? beside : split);
      found.push(...flawsOf(request, told, profiles, messagesFor));
      const blocks = [blocksOf(beside), split === beside ? '' : blocksOf(split)] as const;
      const mayChange = request.compacted || (profile.rewrites && request.rewrote);
      if (sent && !mayChange && !blocks.every((text, n) => text.startsWith(sent?.[n] ?? ''))) {
        found.push('what was sent has been rewritten');
      }
      sent = blocks;
      last = request;
    },
  });
  if (last && chance.happens(0.3) && !isRebuilt(last, rules))
    found.push('a request is not rebuilt to the letter');
  return found[0];
}

/** From what is stored, which is JSON. */
function isRebuilt({ past, entries }: Request, { render }: Rules): boolean {
  const stored: Request['past'] = JSON.parse(JSON.stringify(past));
  const snapshot = stored.snapshot ?? undefined;
  return JSON.stringify(render({ ...stored, snapshot })) === JSON.stringify(entries);
}
