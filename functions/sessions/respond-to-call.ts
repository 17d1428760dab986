import type { CallId } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { SessionKey } from '../core/session.ts';
import type { Task } from '../core/task.ts';
import type { Tools } from '../core/tool.ts';
import {
  respondToTask,
  type Answered,
  type RespondNeeds,
  type TaskResponse,
} from '../tasks/respond-to-task.ts';
import { ringSession } from '../tasks/tell-end.ts';
import { checkOutside } from '../tasks/outside-end.ts';
import { findCall, type FoundCall } from './find-call.ts';
import { isOwnCall, putWaitingTask, taskOfCall, type CallNeeds } from './task-of-call.ts';

type Needs = CallNeeds & RespondNeeds;

/**
 * Take what the caller says about a call of its session: its own tool's, or any other's. It is stored
 * before any model hears of it, so a crash after it leaves exactly one continuation.
 */
export async function respondToCall(
  ports: Needs,
  key: SessionKey,
  callId: CallId,
  response: TaskResponse,
): Promise<Result<Answered>> {
  const found = await findCall(ports, key, callId);
  if (!found.ok) return found;
  const tools = toolsFor(ports.tools, found.value);
  const task = await taskToAnswer(ports, found.value, response, tools);
  if (!task.ok) return task;
  const answered = await respondToTask({ ...ports, tools }, task.value, response, 'response');
  if (!answered.ok) return inWordsOfCalls(answered);
  if (answered.value.outcome === 'progressed') await ringAtMarks(ports, found.value, task.value);
  return answered;
}

/** A call that waits for a slot may end before it begins, but it cannot be half done. */
async function taskToAnswer(
  ports: Needs,
  found: FoundCall,
  response: TaskResponse,
  tools: Tools,
): Promise<Result<Task>> {
  const known = await taskOfCall(ports, found);
  if (!known.ok) return known;
  if (known.value) return ok(known.value);
  if ('progress' in response && !isOwnCall(found)) {
    const detail = 'The call waits for a slot and has not begun.';
    return refuse({ reason: 'response_conflict', detail });
  }
  // What is refused must leave no trace: the call still waits.
  const checked =
    'result' in response
      ? checkOutside({ tools }, found.call.tool, response.result)
      : ok(undefined);
  return checked.ok ? putWaitingTask(ports, found) : checked;
}

/** A tool of the caller's own has no rules of ours, even where it bears the name of one of ours. */
function toolsFor(tools: Tools, found: FoundCall): Tools {
  if (!isOwnCall(found)) return tools;
  return new Map([...tools].filter(([name]) => name !== found.call.tool));
}

function inWordsOfCalls(refused: Result<Answered>): Result<Answered> {
  const isGone = !refused.ok && refused.failure.reason === 'task_not_found';
  return isGone ? refuse({ reason: 'call_not_found' }) : refused;
}

/** Only the session knows at which marks the caller's own tool is heard. */
async function ringAtMarks(ports: Needs, { session, call }: FoundCall, task: Task): Promise<void> {
  const own = session.ownTools.find(({ name }) => name === call.tool);
  if (own && own.progressAt.length > 0) await ringSession(ports, task);
}
