import { FatalError, RetryAfterError } from '../core/author-errors.ts';
import { askAgainMs, questionsPerTaskMax } from '../core/limits.ts';
import { asksTooMuch, questionFlaw, questionName } from '../core/question.ts';
import { attemptOf, keyOf, type Task } from '../core/task.ts';
import type { Answer, AskedQuestion, TaskContext } from '../core/tool.ts';
import { keepValue, readValue } from '../tasks/keep-value.ts';
import type { RunNeeds } from './run-task.ts';
import type { StopSwitch } from './run-tool.ts';

type Asking = Pick<TaskContext, 'ask' | 'askAll'>;

/**
 * How a run asks. It either gets its answer or ends, and never hears that it ended: nothing is thrown
 * that a tool could catch to go on unanswered.
 */
export function asking(ports: RunNeeds, task: Task, stop: StopSwitch, over: AbortSignal): Asking {
  const askAll = async (questions: readonly AskedQuestion[]): Promise<readonly Answer[]> => {
    try {
      const flaw = questionFlaw(questions);
      if (flaw) throw new FatalError(`${task.tool} asks in a wrong way: ${flaw}.`);
      const answers = await Promise.all(questions.map((one) => answerTo(ports, task, one)));
      const open = questions.filter((_, index) => answers[index] === undefined);
      if (open.length === 0) return answers.filter((answer) => answer !== undefined);
      if (!over.aborted) stop.stop(await putQuestions(ports, task, open));
    } catch (thrown) {
      stop.fail(thrown instanceof FatalError ? thrown : new RetryAfterError(askAgainMs));
    }
    return new Promise<never>(() => {});
  };
  return {
    askAll,
    async ask(question) {
      const [answer] = await askAll([question]);
      if (!answer) throw new Error('A question has no answer.');
      return answer;
    },
  };
}

/** A first attempt has asked nothing yet, so it saves the read. */
async function answerTo(
  ports: RunNeeds,
  task: Task,
  { key }: AskedQuestion,
): Promise<Answer | undefined> {
  if (attemptOf(task) === 1) return undefined;
  const stored = await ports.tasks.answer(keyOf(task), questionName(key));
  return stored && ((await readValue(ports, stored)) as Answer);
}

/** Recorded under the fence; from then on the task waits without a worker. */
async function putQuestions(
  ports: RunNeeds,
  task: Task,
  open: readonly AskedQuestion[],
): Promise<'asked' | 'ended'> {
  if (asksTooMuch(task, open.length)) {
    throw new FatalError(`${task.tool} asks more than ${questionsPerTaskMax} questions.`);
  }
  const questions = await Promise.all(
    open.map(async ({ key, message, schema, for: asked }) => ({
      name: questionName(key),
      // What is undefined is left out.
      value: await keepValue(ports, task.owner, { key, message, schema, for: asked }),
    })),
  );
  const atMs = ports.clock.nowMs();
  const event = { kind: 'asked', questions, atMs } as const;
  const asked = await ports.tasks.record(keyOf(task), task.claim, event);
  if (asked) return 'asked';
  // A write whose answer was lost is sent again by the client and refused: it stands there all the same.
  const found = await ports.tasks.get(keyOf(task));
  const isMine = found?.claim.fence === task.claim.fence && found.asked > task.asked;
  return isMine ? 'asked' : 'ended';
}
