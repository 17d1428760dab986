import type { TaskId } from './ids.ts';
import { hasEnded, type Task, type TaskStatus } from './task.ts';
import type { AskedQuestion } from './tool.ts';

/** What a caller gets now instead of a result. Never stored: a view of a task. */
export interface Handle {
  readonly task_id: TaskId;
  readonly status: TaskStatus;
  readonly poll_after_ms: number;
}

export const handleOf = (task: Task, nowMs: number): Handle => ({
  task_id: task.taskId,
  status: task.state.status,
  poll_after_ms: hasEnded(task) ? 0 : pollAfterMs(nowMs - task.createdAtMs),
});

/** A young task may end any moment; asking an old one every second only costs money. */
export function pollAfterMs(ageMs: number): number {
  if (ageMs < 30_000) return 1000;
  return ageMs < 5 * 60_000 ? 5000 : 15_000;
}

/** The tool by which a model answers what a task asks. */
export const answerTool = 'answer_task';

const answerStep = (taskId: TaskId) =>
  `Waiting for an answer: input_requests says what is asked. What is for the user to decide, ask the ` +
  `user. Then call ${answerTool} with task_id "${taskId}", the key, and a value that fits the schema ` +
  'or {"action":"decline"}; after that wait_for_task gives the result.';

/** Told inside a handle, because several clients hide the text beside it from the model. */
export const nextStep = (tool: string, taskId: TaskId) =>
  `Still working. Do not call ${tool} again for this. To get the result, call wait_for_task with ` +
  `task_id "${taskId}"; until then do not invent one. The user may go on talking meanwhile.`;

/** The same for a call that is sent again after its task has ended. */
const endedStep = (tool: string, taskId: TaskId) =>
  `The task has ended. Do not call ${tool} again for this. To get the result, call wait_for_task with ` +
  `task_id "${taskId}".`;

/** What only the user can decide is answered where no model speaks. */
const userStep = (taskId: TaskId) =>
  'Waiting for the user: input_requests says what is asked, and only they can answer it, in their own ' +
  `client or with POST /v1/tasks/${taskId}/input. Tell them. After that wait_for_task gives the result.`;

export function stepOf(task: Task, questions: readonly AskedQuestion[] = []): string {
  const { tool, taskId, state } = task;
  if (hasEnded(task)) return endedStep(tool, taskId);
  if (state.status !== 'input_required') return nextStep(tool, taskId);
  return questions.some((question) => question.for === 'user')
    ? userStep(taskId)
    : answerStep(taskId);
}
