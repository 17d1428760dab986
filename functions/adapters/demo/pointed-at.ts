import type { PendingCall } from '../scripted-news.ts';

const hints: readonly (readonly [string, RegExp])[] = [
  ['deploy_to_staging', /\b(?:deploy\w*|release|staging)\b/i],
  ['install_package', /\b(?:install\w*|package)\b/i],
  ['batch_create_users_async', /\b(?:users?|batch)\b/i],
  ['demo_wait', /\bwait\w*\b/i],
];

/** The pending calls that the words name by kind or by argument, or else the usual ones. */
export function pointedAt(
  words: string,
  pending: readonly PendingCall[],
  usual: readonly PendingCall[],
): readonly PendingCall[] {
  if (/\b(?:all|everything|both)\b/i.test(words)) return pending;
  const named = pending.filter(({ tool, arguments: args }) => {
    const values = Object.values(args ?? {}).filter((value) => typeof value === 'string');
    return words.includes(tool) || values.some((value) => value !== '' && isWordIn(value, words));
  });
  if (named.length > 0) return named;
  const kinds = hints.filter(([, pattern]) => pattern.test(words)).map(([tool]) => tool);
  const ofKind = pending.filter(({ tool }) => kinds.includes(tool));
  return ofKind.length > 0 ? ofKind : usual;
}

const isWordIn = (word: string, words: string) =>
  words
    .toLowerCase()
    .split(/[\s,;!?]+/)
    .includes(word.toLowerCase());
