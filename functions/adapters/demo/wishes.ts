import { createWish, deleteAllWish, listWish, oneUserWish } from './user-wishes.ts';
import { callFor, say, type Arguments, type Wish } from './wish.ts';
import { deployWish, installWishes, waitWish } from './work-wishes.ts';

/** Every wish in a text, in its order. A sentence may hold several; small talk holds none. */
export const wishesIn = (text: string, tools: readonly string[]): readonly Wish[] =>
  sentencesOf(text).flatMap((sentence) => wishesOfSentence(sentence, tools));

/** A full stop inside a version or an address is followed by no space. */
const sentencesOf = (text: string) => text.split(/(?<=[.!?;])\s+|\n+/);

function wishesOfSentence(sentence: string, tools: readonly string[]): readonly Wish[] {
  if (asks.test(sentence)) return [{ kind: 'ask', words: sentence }];
  if (cancels.test(sentence) && !keeps.test(sentence)) return [{ kind: 'cancel', words: sentence }];
  const named = namedTool(sentence, tools);
  return named ? [named] : clausesOf(sentence).flatMap((clause) => wishesOfClause(clause));
}

const asks = new RegExp(
  [
    String.raw`^\W*(?:so |and |ok(?:ay)?,? )?(?:status|progress|eta)\b[^a-z]*$`,
    String.raw`\bhow far\b`,
    String.raw`\bhow much (?:longer|more|is left)\b`,
    String.raw`\bhow long (?:will|until|till|does|is)\b`,
    String.raw`\bhow(?:'s| is| are) (?:it|that|they|things|the \w+)(?: \w+)? (?:going|doing|coming|progressing)\b`,
    String.raw`\b(?:is|are|has|have) (?:it|that|they|this|the \w+)(?: \w+)? (?:done|ready|finished|complete|completed|still|over|running)\b`,
    String.raw`\bare we there\b`,
    String.raw`\bstill (?:running|working|going)\b`,
    String.raw`\bany (?:news|progress|update)\b`,
    String.raw`\bwhat(?:'s| is) (?:the (?:status|progress)|running|going on|happening)\b`,
  ].join('|'),
  'i',
);
const cancels =
  /\b(?:cancel|abort|never ?mind|forget (?:it|that|about))\b|\bstop (?:it|that|the|this|every|all|both)|^\W*stop\W*$/i;
const keeps = /\b(?:don'?t|do not|never) (?:cancel|stop|abort)\b/i;

/** "Use <tool> with {…}" reaches any tool of the session, the caller's own included. */
function namedTool(sentence: string, tools: readonly string[]): Wish | undefined {
  const found = /\b(?:call|use|run|start)\s+(?:the\s+)?(?:tool\s+)?([\w-]+)[^{]*(\{.*\})?/is.exec(
    sentence,
  );
  const tool = tools.find((name) => name === found?.[1]);
  if (!found || tool === undefined) return undefined;
  const given = found[2] === undefined ? {} : jsonObject(found[2]);
  if (given) return callFor(tool, given);
  return say(`I could not read the arguments for ${tool}: they must be a JSON object.`);
}

function jsonObject(text: string): Arguments | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const verbs = new RegExp(
  String.raw`\b(?:create|add|make|generate|register|need|want|deploy|ship|release|roll out|install|` +
    String.raw`run the installer|list|show|who|which|delete|remove|read|wait)\b`,
  'gi',
);

/** From each verb to the next: one clause. */
function clausesOf(sentence: string): readonly string[] {
  const starts = [...sentence.matchAll(verbs)].map(({ index }) => index);
  return starts.map((start, place) => sentence.slice(start, starts[place + 1]));
}

function wishesOfClause(clause: string): readonly Wish[] {
  const installs = installWishes(clause);
  if (installs.length > 0) return installs;
  const readers = [createWish, deployWish, listWish, deleteAllWish, oneUserWish, waitWish];
  return readers.flatMap((read) => read(clause) ?? []).slice(0, 1);
}
