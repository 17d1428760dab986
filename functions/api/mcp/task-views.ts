import { failureText } from '../../core/failure-text.ts';
import { pollAfterMs } from '../../core/handle.ts';
import { retentionMs } from '../../core/limits.ts';
import { hasEnded, type EndedTask, type Task, type TaskStatus } from '../../core/task.ts';
import { inputRequestsOf } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { endedResult } from './tool-result.ts';
import { isoTime } from '../../tasks/iso-time.ts';

/** A task in the words of both generations of MCP tasks. */

/** What both say of a task, under the same names. */
function facts(task: Task) {
  const statusMessage = messageOf(task);
  return {
    taskId: task.taskId,
    status: wireStatus(task),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: isoTime(task.createdAtMs),
    lastUpdatedAt: isoTime(task.updatedAtMs),
  };
}

export const modernTask = (task: Task, nowMs: number) => ({
  ...facts(task),
  ttlMs: lifeMs(task),
  pollIntervalMs: pollAfterMs(nowMs - task.createdAtMs),
});

export const legacyTask = (task: Task, nowMs: number) => ({
  ...facts(task),
  ttl: lifeMs(task),
  pollInterval: pollAfterMs(nowMs - task.createdAtMs),
});

/** The same with what it waits for or what it brought. */
export async function detailedTask(ports: McpNeeds, task: Task) {
  const base = modernTask(task, ports.clock.nowMs());
  switch (base.status) {
    case 'working':
    case 'cancelled':
      return base;
    case 'input_required':
      return { ...base, inputRequests: await inputRequestsOf(ports, task) };
    case 'completed':
    case 'failed':
      return { ...base, ...(await outcome(ports, task)) };
  }
}

async function outcome(ports: McpNeeds, task: Task) {
  if (!hasEnded(task)) return {};
  const error = protocolError(task);
  // The official client refuses an inlined result that does not say it is complete.
  return error
    ? { error }
    : { result: { resultType: 'complete', ...(await endedResult(ports, task)) } };
}

/** What a tool says about its own failure is a result; only what befell the task itself is an error. */
export function protocolError({ state }: EndedTask) {
  if (state.status !== 'failed' || state.error.code === 'tool_failed') return undefined;
  return { code: -32_603, message: `${state.error.code}: ${state.error.message}` };
}

export const noSuchTask = {
  code: -32_602,
  message: failureText({ reason: 'task_not_found' }),
};

function wireStatus(task: Task): TaskStatus {
  const { status } = task.state;
  return hasEnded(task) && status === 'failed' && !protocolError(task) ? 'completed' : status;
}

function messageOf({ state, progress }: Task): string | undefined {
  if (state.status === 'failed') return state.error.message;
  return progress?.message || undefined;
}

/** From its start until it is forgotten. An open task is kept at least until its deadline. */
const lifeMs = (task: Task) =>
  (hasEnded(task) ? task.state.endedAtMs : task.deadlineMs) + retentionMs - task.createdAtMs;
