import type { Entry } from '../../core/entry.ts';
import { endsIn } from '../scripted-news.ts';
import { tryAgain } from './results.ts';
import { createSome } from './quick-words.ts';
import { callFor, type Wish } from './wish.ts';
import { fieldsOf } from './values.ts';
import { madeUpPeople } from './people.ts';

const yes = /^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please|do (?:it|so|that)|go ahead|of course)\b/i;
export const isYes = (text: string) => yes.test(text);
const again = /\b(?:try (?:it |that )?again|retry|once more)\b/i;

/** What a "yes" means after the demo has asked: the call that failed once more, or the first users. */
export function acceptedOffer(text: string, entries: readonly Entry[]): Wish | undefined {
  const said = entries.findLast((entry) => entry.role === 'assistant')?.text ?? '';
  if (isYes(text) && said.endsWith(createSome)) {
    return callFor('batch_create_users_async', { users_data: madeUpPeople(5) });
  }
  if (!again.test(text) && !(isYes(text) && said.includes(tryAgain))) return undefined;
  const failed = endsIn(entries).findLast(({ status }) => status === 'failed');
  return failed && callFor(failed.tool, fieldsOf(failed.arguments));
}
