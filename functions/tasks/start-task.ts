import type { Failure } from '../core/failure.ts';
import type { Owner } from '../core/ids.ts';
import { deadlineDefaultMs } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import {
  hasExpired,
  keyOf,
  newTask,
  type Caller,
  type Task,
  type TaskStart,
} from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import { workMessage } from '../core/work-message.ts';
import type { Ports } from '../ports.ts';
import { keepValue } from './keep-value.ts';

type Needs = Pick<Ports, 'tasks' | 'objects' | 'work' | 'tools' | 'clock' | 'newTaskId'>;

export interface StartRequest {
  readonly owner: Owner;
  readonly tool: string;
  readonly arguments: unknown;
  readonly caller: Caller;
  /** What makes two starts the same call. */
  readonly identity?: string | undefined;
  readonly deadlineMs?: number | undefined;
  /** A session's start derives from stored facts, this one too. */
  readonly createdAtMs?: number;
  /** How many results the caller's own tool gives; a tool of ours says so itself. */
  readonly resultsMax?: number | undefined;
  /** A receiver that is told of its end. */
  readonly webhookId?: string | undefined;
}

type Described = Pick<Tool, 'name' | 'deadlineMs'> & Partial<Pick<Tool, 'silenceMs' | 'checkMs'>>;

/**
 * Start a long-running tool: the task and its message are written side by side and both acknowledged
 * before the task is returned. Starting twice finds the same task; with other arguments it is refused,
 * and the message that went out with the refused start is dropped by the worker, which compares digests.
 */
export async function startTask(ports: Needs, request: StartRequest): Promise<Result<Task>> {
  const tool = findTool(ports, request.tool);
  if (!tool.ok) return tool;
  const checked = tool.value.checkInput(request.arguments);
  if (!checked.ok) return checked;
  const { max } = tool.value.results(request.arguments);
  const start = await describeStart(ports, { ...request, resultsMax: max }, tool.value);
  const [created] = await Promise.all([
    ports.tasks.create(start),
    ports.work.send([workMessage({ kind: 'run', start })]),
  ]);
  // Nobody else can know a new id: its own message has been faster than its put.
  const isOurs = created || request.identity === undefined;
  return isOurs ? ok(newTask(start)) : findStarted(ports, start);
}

type PutNeeds = Pick<Needs, 'tasks' | 'objects' | 'clock' | 'newTaskId'>;

/** Put the task of a tool that the caller owns: nobody here runs it, its end comes from outside. */
export const startOwnTask = (ports: PutNeeds, request: StartRequest): Promise<Result<Task>> =>
  putTask(ports, request, { name: request.tool, deadlineMs: deadlineDefaultMs });

/** Put the task of a tool of ours before its turn has come: it may end so, and begins only once it is sent. */
export async function putUnsent(
  ports: PutNeeds & Pick<Needs, 'tools'>,
  request: StartRequest,
): Promise<Result<Task>> {
  const tool = ports.tools.get(request.tool);
  // A tool that is gone since can still be answered for.
  if (!tool) return startOwnTask(ports, request);
  const { max } = tool.results(request.arguments);
  return putTask(ports, { ...request, resultsMax: max }, tool, { unsent: true });
}

async function putTask(
  ports: PutNeeds,
  request: StartRequest,
  tool: Described,
  more: Pick<TaskStart, 'unsent'> = {},
): Promise<Result<Task>> {
  const start = { ...(await describeStart(ports, request, tool)), ...more };
  return (await ports.tasks.create(start)) ? ok(newTask(start)) : findStarted(ports, start);
}

export function findTool(ports: Pick<Ports, 'tools'>, name: string): Result<Tool> {
  const tool = ports.tools.get(name);
  if (tool) return ok(tool);
  const unknown: Failure = {
    reason: 'tool_not_found',
    tool: name,
    known: [...ports.tools.keys()],
  };
  return refuse(unknown);
}

async function describeStart(
  ports: Pick<Needs, 'objects' | 'clock' | 'newTaskId'>,
  request: StartRequest,
  tool: Described,
): Promise<TaskStart> {
  const { owner, identity, caller, resultsMax = 1, webhookId } = request;
  const createdAtMs = request.createdAtMs ?? ports.clock.nowMs();
  const args = await keepValue(ports, owner, request.arguments);
  const taskId = identity
    ? ports.newTaskId({ owner, tool: tool.name, key: identity })
    : ports.newTaskId();
  const deadlineMs = createdAtMs + (request.deadlineMs ?? tool.deadlineMs);
  return {
    owner,
    taskId,
    tool: tool.name,
    caller,
    arguments: args,
    createdAtMs,
    deadlineMs,
    ...(resultsMax > 1 ? { resultsMax } : {}),
    ...(tool.silenceMs === undefined ? {} : { silenceMs: tool.silenceMs }),
    ...(webhookId === undefined ? {} : { webhookId }),
    ...(tool.checkMs === undefined ? {} : { checkMs: tool.checkMs }),
  };
}

async function findStarted(ports: Pick<Needs, 'tasks'>, start: TaskStart): Promise<Result<Task>> {
  const found = await ports.tasks.get(keyOf(start));
  // The table may have deleted it between the refused put and this read: then it is new after all.
  if (!found) throw new Error('A task was there and is gone: try the start again.');
  const isSame = found.argumentsDigest === start.arguments.digest;
  if (isSame && !hasExpired(found, start.createdAtMs)) return ok(found);
  return refuse({ reason: 'idempotency_conflict' });
}
