import { correlationIdOf } from '../core/ci/correlation.ts';
import { misfitOf } from '../core/ci/response.ts';
import { faultOf } from '../core/fault.ts';
import { hasEnded, keyOf, type Task } from '../core/task.ts';
import type { CheckAnswer, Tool } from '../core/tool.ts';
import type { WorkMessage } from '../core/work-message.ts';
import type { Verdict } from '../ports.ts';
import { readValue } from '../tasks/keep-value.ts';
import { noteRefused } from '../tasks/note-outcome.ts';
import { respondToTask } from '../tasks/respond-to-task.ts';
import type { RunNeeds } from './run-task.ts';

type CheckMessage = Extract<WorkMessage, { kind: 'check' }>;

/** No system that answers at all takes longer, and another look comes anyway. */
const checkMsMax = 30_000;

/**
 * Ask whoever does a task's work how it stands, because no word of it came. What cannot be found out now
 * is asked again by the sweep's next look, so nothing here is ever tried twice.
 */
export async function checkTask(ports: RunNeeds, message: CheckMessage): Promise<Verdict> {
  const task = await ports.tasks.get(keyOf(message));
  const tool = task && ports.tools.get(task.tool);
  if (!task || !tool?.check || !task.handedOff || hasEnded(task)) return 'done';
  const answer = await ask(ports, task, tool);
  if (!answer) return 'done';
  const answered = await respondToTask(ports, task, answer, 'callback');
  if (answered.ok) {
    ports.log('info', 'task checked', { taskId: task.taskId, outcome: answered.value.outcome });
    return 'done';
  }
  const { failure } = answered;
  const { owner, taskId } = task;
  await noteRefused(ports, { what: 'check', code: failure.reason, owner, taskId });
  // The work is over, and every later look would find the same: left open, the task would wait for nothing.
  if (failure.reason === 'result_schema_mismatch') {
    const error = misfitOf(`The work of ${task.tool}`, failure.flaws);
    await respondToTask(ports, task, { error }, 'callback');
  }
  return 'done';
}

async function ask(ports: RunNeeds, task: Task, tool: Tool): Promise<CheckAnswer | undefined> {
  const { owner, taskId, createdAtMs } = task;
  const [args, given] = await Promise.all([ports.tasks.arguments(task), ports.tasks.initial(task)]);
  const input = tool.checkInput(await readValue(ports, args));
  const initial = given && (await readValue(ports, given));
  if (!input.ok) return undefined;
  const context = {
    owner,
    idempotencyKey: taskId,
    correlationId: correlationIdOf(taskId),
    createdAtMs,
    signal: AbortSignal.timeout(checkMsMax),
  };
  try {
    return await tool.check?.(input.value, context, initial);
  } catch (thrown) {
    ports.log('warn', 'check failed', { taskId, ...faultOf(thrown) });
    return undefined;
  }
}
