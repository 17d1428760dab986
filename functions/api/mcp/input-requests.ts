import * as z from 'zod';
import type { Failure } from '../../core/failure.ts';
import { questionName } from '../../core/question.ts';
import type { Task } from '../../core/task.ts';
import { answerTask } from '../../tasks/answer-task.ts';
import { openQuestions, readQuestion } from '../../tasks/open-questions.ts';
import { contentOf, formOf, type InputRequest } from './forms.ts';
import type { McpNeeds } from './needs.ts';

type InputRequests = Readonly<Record<string, InputRequest>>;

/** Every question of a task that has no answer yet, by its key. */
export async function inputRequestsOf(ports: McpNeeds, task: Task): Promise<InputRequests> {
  const questions = await openQuestions(ports, task);
  return Object.fromEntries(questions.map((question) => [question.key, formOf(question)]));
}

const elicited = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
});

/**
 * Hand the answers to the task; what it has not asked, or has heard already, is left aside. Says what is
 * wrong with one that does not fit its question.
 */
export async function giveAnswers(
  ports: McpNeeds,
  task: Task,
  responses: Readonly<Record<string, unknown>>,
): Promise<Failure | undefined> {
  let flawed: Failure | undefined;
  for (const [key, response] of Object.entries(responses)) {
    const name = questionName(key);
    if (!task.asking.includes(name)) continue;
    const read = elicited.safeParse(response);
    if (!read.success) {
      flawed = noAnswer(task, key);
      continue;
    }
    const { action, content } = read.data;
    const question = await readQuestion(ports, task, name);
    const value =
      action === 'accept' ? { action, content: contentOf(question, content) } : { action };
    const answered = await answerTask(ports, task, { key, value });
    if (!answered.ok && isFlaw(answered.failure)) flawed = answered.failure;
  }
  return flawed;
}

const noAnswer = ({ tool }: Task, key: string): Failure => ({
  reason: 'invalid_arguments',
  tool,
  isAnswer: true,
  flaws: [{ path: `${key}.action`, message: 'expected accept, decline or cancel' }],
});

const isFlaw = ({ reason }: Failure) =>
  reason === 'invalid_arguments' || reason === 'body_too_large';
