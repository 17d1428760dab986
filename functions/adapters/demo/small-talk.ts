import { capital, listed } from './phrases.ts';
import { workOf } from './words.ts';
import type { PendingCall } from '../scripted-news.ts';

/** Answers to what asks for no tool, so that talking while a call runs can be tried. */
export function smallTalk(
  text: string,
  pending: readonly PendingCall[],
  offered: readonly string[],
): string {
  const [, answer] = talk.find(([pattern]) => pattern.test(text)) ?? [];
  const said = answer ?? sum(text) ?? capabilities(text, offered);
  return [said, ...(pending.length === 0 ? [] : [meanwhile(pending)])].join(
    said.includes('\n') ? '\n\n' : ' ',
  );
}

const talk: readonly (readonly [RegExp, string])[] = [
  [/\bhow are you\b|\bhow do you do\b/i, 'Very well, thank you! Nothing is too slow for me.'],
  [
    /\b(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)\b/i,
    'Hello! What shall I do for you?',
  ],
  [
    /\b(?:thanks?|thank you|thx|cheers|great|perfect|nice|cool|awesome|well done)\b/i,
    'You are welcome!',
  ],
  [/\b(?:bye|goodbye|see you|good night)\b/i, 'Goodbye! What is running goes on without us.'],
  [/\b(?:don'?t|do not) (?:stop|cancel|abort)\b/i, 'I would not dream of it.'],
  [/\bjoke\b/i, 'I threw a boomerang a few years ago. Now I live in constant fear.'],
  [
    /\bwho are you\b|\bwhat are you\b|\byour name\b/i,
    'I am the demo model of Boomerang: a script without a mind, but with real tools. Set MODEL to talk to a real model.',
  ],
  [
    /\bwhat(?:'s| is) (?:a )?boomerang\b|\bhow does (?:this|it) work\b/i,
    'Slow tools give me a durable handle at once, and their results come back to the very call that asked for them, so we can go on talking meanwhile.',
  ],
  [/^\W*(?:ok(?:ay)?|yes|no|sure|fine|alright|go on|hm+|i see)\W*$/i, 'All right.'],
  [/\b(?:sorry|excuse me)\b/i, 'No harm done.'],
];

/** Arithmetic of one step: enough to see that the conversation goes on. */
function sum(text: string): string | undefined {
  const [, left, sign, right] =
    /(-?\d+(?:\.\d+)?)\s*([-+*x×/÷]|plus|minus|times|divided by)\s*(-?\d+(?:\.\d+)?)/i.exec(text) ??
    [];
  if (left === undefined || right === undefined || sign === undefined) return undefined;
  const [a, b] = [Number(left), Number(right)];
  const value = { '+': a + b, p: a + b, '-': a - b, m: a - b, '/': a / b, '÷': a / b, d: a / b }[
    sign.charAt(0).toLowerCase()
  ];
  const result = value ?? a * b;
  return Number.isFinite(result)
    ? `That makes ${Number(result.toFixed(6))}.`
    : 'That has no answer.';
}

const examples: readonly (readonly [string, string])[] = [
  ['batch_create_users_async', 'create 5 users'],
  ['deploy_to_staging', 'deploy v2.5.0 to staging'],
  ['install_package', 'install redis and update me every 25%'],
  ['list_users', 'list users'],
  ['get_task', 'how far is it?'],
  ['cancel_task', 'cancel it'],
];

const asksForHelp = /\bhelp\b|\bwhat (?:else )?(?:can|could) (?:you|i)\b|\bwhat do you do\b/i;

function capabilities(text: string, offered: readonly string[]): string {
  const known = examples.filter(([tool]) => offered.includes(tool)).map(([, words]) => words);
  const others = offered.map((tool) => `use ${tool} with {…}`);
  const tries = known.length > 0 ? known : others.slice(0, 3);
  if (tries.length === 0) return 'I have no tools in this session, but I am glad to talk.';
  const opening = asksForHelp.test(text)
    ? 'With pleasure! You could say'
    : 'That is beyond a small demo model. You could say';
  return [`${opening}:`, ...tries.map((words) => `- ${words}`)].join('\n');
}

function meanwhile(pending: readonly PendingCall[]): string {
  const works = pending.map((call) => workOf(call));
  return `(${capital(listed(works))} ${works.length === 1 ? 'is' : 'are'} still under way.)`;
}
