import { startOf } from '../core/question.ts';
import { keyOf } from '../core/task.ts';
import type { WorkMessage } from '../core/work-message.ts';
import type { Verdict } from '../ports.ts';
import { applyAnswer } from '../tasks/apply-answer.ts';
import { runTask, type Run, type RunMessage, type RunNeeds } from './run-task.ts';

type AnswerMessage = Extract<WorkMessage, { kind: 'answer' }>;

/**
 * Take an answer to its task, unless whoever gave it has done so, and go on with the task when nothing is
 * awaited any more. Each answer brings its own message, so one that finds others awaited has done its part.
 */
export async function takeAnswer(
  ports: RunNeeds,
  message: AnswerMessage,
  run: Omit<Run, 'message'>,
): Promise<Verdict> {
  const found = await ports.tasks.get(keyOf(message));
  const task = found && (await applyAnswer(ports, found, message));
  if (!task || task.state.status === 'input_required') return 'done';
  const start = startOf(task, await ports.tasks.arguments(task));
  const again: RunMessage = { v: message.v, kind: 'run', start };
  return runTask(ports, { ...run, message: again });
}
