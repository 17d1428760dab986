import { attemptOf, hasEnded, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import type { AskedQuestion } from '../core/tool.ts';
import { readValue } from './keep-value.ts';
import { openQuestions } from './open-questions.ts';
import { isoTime } from './iso-time.ts';

type Needs = Pick<Ports, 'tasks' | 'objects'>;

export interface TaskView {
  readonly task_id: string;
  readonly tool: string;
  readonly call_id?: string;
  readonly session_id?: string;
  readonly status: Task['state']['status'];
  readonly progress?: { readonly percent: number; readonly message: string };
  readonly input_requests?: readonly AskedQuestion[];
  readonly result?: unknown;
  /** What came after a timeout or a cancel; the end stays what it was. */
  readonly late_result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly attempt: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at?: string;
}

/** A task as the wire shows it, its result included. */
export async function viewTask(ports: Needs, task: Task): Promise<TaskView> {
  if (task.state.status === 'input_required') {
    return { ...summarizeTask(task), input_requests: await openQuestions(ports, task) };
  }
  if (task.late) return { ...summarizeTask(task), late_result: await readLate(ports, task) };
  if (task.state.status !== 'completed') return summarizeTask(task);
  const result = await readValue(ports, await ports.tasks.result(task));
  return { ...summarizeTask(task), result };
}

async function readLate(ports: Needs, task: Task): Promise<unknown> {
  const late = await ports.tasks.late(task);
  return late && readValue(ports, late);
}

/** The same without the result, which a list does not read. */
export function summarizeTask(task: Task): TaskView {
  const { caller, progress, state } = task;
  return {
    task_id: task.taskId,
    tool: task.tool,
    ...(caller.callId === undefined ? {} : { call_id: caller.callId }),
    ...(caller.kind === 'session' ? { session_id: caller.sessionId } : {}),
    status: state.status,
    ...(progress ? { progress } : {}),
    ...(state.status === 'failed' ? { error: state.error } : {}),
    attempt: attemptOf(task),
    created_at: isoTime(task.createdAtMs),
    updated_at: isoTime(task.updatedAtMs),
    ...(hasEnded(task) ? { ended_at: isoTime(task.state.endedAtMs) } : {}),
  };
}
