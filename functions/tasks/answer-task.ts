import { contentFlaws } from '../core/content-schema.ts';
import type { Failure, Flaw } from '../core/failure.ts';
import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import { answerBytesMax } from '../core/limits.ts';
import { answerFrom, questionName } from '../core/question.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { hasEnded, keyOf, type EndedTask, type Task, type TaskKey } from '../core/task.ts';
import { bytesOf } from '../core/text.ts';
import type { Answer, AskedQuestion } from '../core/tool.ts';
import { workMessage } from '../core/work-message.ts';
import type { Ports } from '../ports.ts';
import { applyAnswer, type GivenAnswer } from './apply-answer.ts';
import { findTask } from './find-task.ts';
import { keepValue } from './keep-value.ts';
import { readQuestion } from './open-questions.ts';

type AnswerNeeds = Pick<Ports, 'tasks' | 'objects' | 'work' | 'clock' | 'signals'>;

/** What someone says to a question of a task: an answer, or the content of one that accepts. */
export interface Said {
  readonly key: string;
  readonly value: unknown;
  /** A model answers, and has not heard its user since the question. */
  readonly byModel?: boolean;
}

/**
 * Answer a question of a waiting task. The first answer counts; the same again is no conflict, even
 * after the end. Like an end
 * it is sent first, in a message that can take it to the task alone, and then applied for our answer's sake.
 */
export async function answerTask(
  ports: AnswerNeeds,
  key: TaskKey,
  said: Said,
): Promise<Result<Task>> {
  const found = await findTask(ports, key);
  if (!found.ok) return found;
  const { value: task } = found;
  const name = questionName(said.key);
  const isOpen = task.asking.includes(name);
  const before = await ports.tasks.answer(keyOf(task), name);
  if (hasEnded(task) && !before) return refuse(endedFailure(task));
  if (!before && !isOpen) return refuse(notAsked);
  const question = await readQuestion(ports, task, name);
  if (said.byModel && question.for === 'user') return refuse(notTheUser);
  const checked = checkAnswer(task, question, answerFrom(said.value));
  if (!checked.ok) return checked;
  const answer = await keepValue(ports, task.owner, checked.value);
  if (before && before.digest !== answer.digest) return refuse(otherwise);
  return isOpen && !hasEnded(task) ? give(ports, task, { name, answer }) : ok(task);
}

async function give(ports: AnswerNeeds, task: Task, given: GivenAnswer): Promise<Result<Task>> {
  const { name, answer } = given;
  await ports.work.send([workMessage({ kind: 'answer', ...keyOf(task), name, answer })]);
  const now = await applyAnswer(ports, task, given);
  if (!now) return refuse({ reason: 'task_not_found' });
  // Someone else may have answered first, or the task have ended meanwhile.
  const kept = await ports.tasks.answer(keyOf(task), name);
  if (kept?.digest === answer.digest) return ok(now);
  return refuse(hasEnded(now) ? endedFailure(now) : otherwise);
}

const endedFailure = ({ state: { status } }: EndedTask): Failure => ({
  reason: 'task_ended',
  status,
});

function checkAnswer({ tool }: Task, { schema }: AskedQuestion, answer: Answer): Result<Answer> {
  if (answer.action !== 'accept') return ok(answer);
  const { content } = answer;
  const wrong = (flaws: readonly Flaw[]) =>
    refuse({ reason: 'invalid_arguments', tool, isAnswer: true, flaws });
  if (isTooDeep(content)) return wrong([tooDeep]);
  if (bytesOf(JSON.stringify(content) ?? '') > answerBytesMax) {
    return refuse({ reason: 'body_too_large', bytesMax: answerBytesMax });
  }
  const flaws = contentFlaws(schema, content, 'value');
  return flaws.length === 0 ? ok(answer) : wrong(flaws);
}

const notAsked: Failure = {
  reason: 'response_conflict',
  detail: 'The task has not asked this, or not yet.',
};

const notTheUser: Failure = {
  reason: 'response_conflict',
  detail:
    'Only the user can answer this. Ask them, and answer after they have replied; without a session ' +
    'they answer in their own client, or with POST /v1/tasks/<task_id>/input.',
};

const otherwise: Failure = {
  reason: 'response_conflict',
  detail: 'The question was already answered otherwise.',
};
