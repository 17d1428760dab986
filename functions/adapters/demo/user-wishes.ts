import { madeUpPeople, peopleMax, peopleNamedIn } from './people.ts';
import { callFor, say, type Wish } from './wish.ts';

/** Wishes about users, each read from one clause. */

const creating = new RegExp(
  String.raw`^(?:create|add|make|generate|register|need|want)\s+(?:me\s+)?(?:a\s+batch\s+of\s+)?(?:the\s+)?` +
    String.raw`(?:(\d[\d,]*|a few|some|several|a dozen|[a-z]+)\s+)?(?:[a-z-]+\s+){0,2}?(users?)\b(.*)`,
  'is',
);

/** How many "some" are. */
const someCount = 3;

export function createWish(clause: string): Wish | undefined {
  const found = creating.exec(clause);
  if (!found) return undefined;
  const [, count = '', noun = '', rest = ''] = found;
  const named = peopleNamedIn(rest);
  if (noun.toLowerCase() === 'user' && named.length <= 1) {
    const [one = madeUpPeople(1)[0]] = named;
    return callFor('create_user', { ...one });
  }
  const wanted = named.length > 0 ? named.length : (countOf(count) ?? someCount);
  if (wanted < 1) return say('No users, then. Tell me how many you want.');
  const people = named.length > 0 ? named : madeUpPeople(wanted);
  const note = wanted > peopleMax ? `I make up at most ${peopleMax} users at a time.` : undefined;
  return callFor('batch_create_users_async', { users_data: people, ...delayIn(rest) }, note);
}

const countWords = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
).split(' ');

function countOf(text: string): number | undefined {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number(word.replaceAll(',', ''));
  if (word === 'a dozen') return 12;
  const place = countWords.indexOf(word);
  return place === -1 ? undefined : place;
}

const delaying =
  /\b(?:delay(?: of)?|every|wait(?:ing)?|at)\s+(\d+(?:\.\d+)?)\s*(?:s|sec|seconds?)\b/i;

function delayIn(text: string): { readonly delay?: number } {
  const [, seconds] = delaying.exec(text) ?? [];
  if (seconds !== undefined) return { delay: Math.min(60, Number(seconds)) };
  return /\bslow(?:ly)?\b/i.test(text) ? { delay: 2 } : {};
}

export function listWish(clause: string): Wish | undefined {
  if (!/^(?:list|show|who|which)\b/i.test(clause)) return undefined;
  if (/\btasks?\b/i.test(clause)) return callFor('list_tasks', { limit: 5 });
  return /\busers\b/i.test(clause) ? callFor('list_users', {}) : undefined;
}

/** Dangerous: the tool asks the user first. */
export const deleteAllWish = (clause: string): Wish | undefined =>
  /^(?:delete|remove)\s+(?:all|every|each)\b.*\busers?\b/i.test(clause)
    ? callFor('delete_all_users', {})
    : undefined;

export function oneUserWish(clause: string): Wish | undefined {
  const [, verb = ''] = /^(delete|remove|read|show)\b.*\buser\b/i.exec(clause) ?? [];
  if (verb === '') return undefined;
  const [id] = /\buser_\w+/.exec(clause) ?? [];
  if (id === undefined) return say('Tell me the id of the user; "list users" shows them.');
  return callFor(/^(?:delete|remove)$/i.test(verb) ? 'delete_user' : 'read_user', { id });
}
