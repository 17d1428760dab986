import type { Entry, EventEntry } from '../../core/entry.ts';
import { answerTool } from '../../core/handle.ts';
import type { PendingCall } from '../scripted-news.ts';
import { isYes } from './accepted-offer.ts';
import { fieldsOf, listOf, textOf, type Fields } from './values.ts';
import { callFor, type Wish } from './wish.ts';

const no = /^\W*(?:no|nope|nah|never|don'?t|do not|stop|better not)\b/i;

/** What a yes or a no means while a task waits for its user: the answer to its newest question. */
export function answeredQuestion(
  text: string,
  entries: readonly Entry[],
  pending: readonly PendingCall[],
): Wish | undefined {
  if (!isYes(text) && !no.test(text)) return undefined;
  const asked = entries.findLast(
    (entry): entry is EventEntry =>
      entry.role === 'event' &&
      entry.kind === 'question' &&
      pending.some(({ taskId }) => taskId === entry.taskId),
  );
  const [question] = asked ? questionsIn(asked.text) : [];
  if (!asked || !question) return undefined;
  const value = isYes(text) ? agreement(fieldsOf(question.schema)) : { action: 'decline' };
  return callFor(answerTool, { task_id: asked.taskId, key: textOf(question.key), value });
}

/** They stand at the end of the event, as JSON unless they are too long. */
function questionsIn(text: string): readonly Fields[] {
  const [, json = '[]'] = /(\[\{"key":.*\])<\/[^<]*>$/.exec(text) ?? [];
  try {
    return listOf(JSON.parse(json)).map(fieldsOf);
  } catch {
    return [];
  }
}

/** Yes to every box that a form has; a demo fills in nothing else. */
const agreement = ({ properties }: Fields) =>
  Object.fromEntries(
    Object.entries(fieldsOf(properties))
      .filter(([, of]) => fieldsOf(of).type === 'boolean')
      .map(([name]) => [name, true]),
  );
