import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureText } from '../../core/failure-text.ts';
import type { Owner } from '../../core/ids.ts';
import { asTaskId } from '../../core/ids.ts';
import { holdInAllMs } from '../../core/ladder.ts';
import { ok, type Result } from '../../core/result.ts';
import { hasEnded, type Task, type TaskKey } from '../../core/task.ts';
import type { Tool } from '../../core/tool.ts';
import { findTask } from '../../tasks/find-task.ts';
import { startTask } from '../../tasks/start-task.ts';
import type { AdoptedCall } from './call-identity.ts';
import type { Client } from './client.ts';
import type { McpNeeds } from './needs.ts';
import type { Leg } from './seals.ts';
import { endedResult, failed, handleResult, waitedResult } from './tool-result.ts';

/** A tools/call as every era brings it. */
export interface ToolCall {
  readonly owner: Owner;
  readonly tool: Tool;
  readonly arguments: unknown;
  /** The arguments as they came, before any question was answered. */
  readonly sent: unknown;
  readonly adopted: AdoptedCall | undefined;
  readonly client: Client;
  /** Where it goes on, if it began before. */
  readonly leg?: Leg | undefined;
  /** How often it was sent back before it began. */
  readonly round?: number;
}

/** A call that waits for a task: its own, or one it names. */
export interface HeldCall {
  readonly task: Task;
  readonly form: 'call' | 'wait';
  /** When its handle is given. */
  readonly untilMs: number;
}

/** An ordinary tool, but what it waits for is better told on the way, and survives a cut connection. */
export const waitTool = 'wait_for_task';

export const isHeld = (tool: Tool) => tool.longRunning || tool.name === waitTool;

export const startCall = (ports: McpNeeds, call: ToolCall): Promise<Result<Task>> =>
  startTask(ports, {
    owner: call.owner,
    tool: call.tool.name,
    arguments: call.arguments,
    identity: call.adopted?.identity,
    caller: {
      kind: 'client',
      ...(call.adopted?.callId === undefined ? {} : { callId: call.adopted.callId }),
    },
  });

/** Begin what the call waits for, or find it. */
export async function beginHold(ports: McpNeeds, call: ToolCall): Promise<Result<HeldCall>> {
  const nowMs = ports.clock.nowMs();
  if (call.tool.name === waitTool) return beginWait(ports, call, nowMs);
  const started = await startCall(ports, call);
  if (!started.ok) return started;
  const untilMs = nowMs + patienceMs(ports, call);
  return ok({ task: started.value, form: 'call', untilMs });
}

async function beginWait(
  ports: McpNeeds,
  call: ToolCall,
  nowMs: number,
): Promise<Result<HeldCall>> {
  const wanted = readWait(call);
  if (!wanted.ok) return wanted;
  const { task_id, timeout_s } = wanted.value;
  const key: TaskKey = { owner: call.owner, taskId: asTaskId(task_id) };
  const found = await findTask(ports, key);
  if (!found.ok) return found;
  return ok({ task: found.value, form: 'wait', untilMs: nowMs + timeout_s * 1000 });
}

interface Wait {
  readonly task_id: string;
  readonly timeout_s: number;
}

const readWait = (call: ToolCall): Result<Wait> =>
  call.tool.checkInput(call.arguments) as Result<Wait>;

/** How long a call may be held in all; one that waits says so itself. */
export function patienceMs(ports: McpNeeds, call: ToolCall): number {
  const wanted = call.tool.name === waitTool ? readWait(call) : undefined;
  if (wanted?.ok) return wanted.value.timeout_s * 1000;
  return holdInAllMs(call.client.name, ports.settings);
}

/** What a held call answers with once it is held no longer. */
export async function heldAnswer(
  ports: McpNeeds,
  form: HeldCall['form'],
  found: Result<Task>,
  links = true,
): Promise<CallToolResult> {
  if (!found.ok) return failed(failureText(found.failure));
  const { value: task } = found;
  if (!hasEnded(task)) return handleResult(ports, task);
  return form === 'wait' ? waitedResult(ports, task, links) : endedResult(ports, task, links);
}

/** Progress of a task as told to a client: only what is more than it knows. */
export function progressAfter(task: Task, percent: number) {
  const { progress } = task;
  if (!progress || progress.percent <= percent) return undefined;
  const { message } = progress;
  return { progress: progress.percent, total: 100, ...(message ? { message } : {}) };
}
