/** Users for the demo: those the user names, or friendly made-up ones. */
interface Person {
  readonly name: string;
  readonly email: string;
}

/** More would fill the history with made-up names. */
export const peopleMax = 100;

const firstNames = (
  'Ada Ben Clara David Elif Farid Grace Hiro Ines Jonas Kira Liam Mona Noah Olga Pavel Quinn Rosa Sami ' +
  'Tara Uma Victor Wanda Yuki'
).split(' ');

export const madeUpPeople = (count: number): readonly Person[] =>
  Array.from({ length: Math.min(count, peopleMax) }, (_, index) => {
    const first = firstNames[index % firstNames.length] ?? 'Ada';
    const round = Math.floor(index / firstNames.length) + 1;
    return person(round === 1 ? first : `${first} ${round}`);
  });

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
const name = String.raw`\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’.-]*)*`;
const between = String.raw`[ ,]*(?:(?:with|and|at)?\s*(?:the\s+)?(?:e-?mail(?: address)?|address)[: ]\s*)?[<(]?\s*`;
const named = new RegExp(`(${name})(?:${between}(${address.source})[>)]?)?`, 'gu');

/** Everybody named in a piece of text, each with the address beside the name if there is one. */
export function peopleNamedIn(text: string): readonly Person[] {
  const found = [...text.matchAll(named)].map(([, full = '', email]) => person(full, email));
  return (found.length > 0 ? found : peopleInSmallLetters(text)).slice(0, peopleMax);
}

const noNames = new Set(
  (
    'for with please in to and then slowly at every now that who which on by quickly each of as from via ' +
    'using a an the so if when while or but if i we you me us asap today'
  ).split(' '),
);

/** "users alice and bob": a list that begins at once and has no other words in it. */
function peopleInSmallLetters(text: string): readonly Person[] {
  const [, list = ''] = /^\s*(?:named|called|:)?\s*([\p{Ll}, &]+)/u.exec(text) ?? [];
  const names = list.split(/,|&|\band\b/).map((part) => part.trim());
  const isList = names.every((part) => /^\p{Ll}+$/u.test(part) && !noNames.has(part));
  return isList ? names.map((part) => person(part.charAt(0).toUpperCase() + part.slice(1))) : [];
}

const person = (full: string, email = `${slug(full)}@example.com`): Person => ({
  name: full,
  email,
});

const slug = (full: string) =>
  full
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '.')
    .replaceAll(/^\.|\.$/g, '') || 'user';
