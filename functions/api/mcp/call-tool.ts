import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Result as WireResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Failure } from '../../core/failure.ts';
import { failureText } from '../../core/failure-text.ts';
import type { Owner } from '../../core/ids.ts';
import { isTooDeep, tooDeep } from '../../core/json-depth.ts';
import { stepOf } from '../../core/handle.ts';
import { findTool } from '../../tasks/start-task.ts';
import { runQuick } from '../../tasks/run-quick.ts';
import { askFirst } from './ask-first.ts';
import { adoptCall } from './call-identity.ts';
import { knowsLinks, legacyTasksVersion, tasksExtension, type Client } from './client.ts';
import { isHeld, startCall, waitTool, type ToolCall } from './held-call.ts';
import { holdInline, holdInLegs } from './hold-inline.ts';
import type { McpNeeds } from './needs.ts';
import { readState, taskOfLeg } from './request-state.ts';
import { legacyTask, modernTask } from './task-views.ts';
import { failed, quickResult } from './tool-result.ts';

export const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  /** 2025-11-25: make a task of this call. */
  task: z.unknown().optional(),
});
export type CallParams = z.output<typeof callParams>;

/** Who calls, in which era, and the request as the SDK hands it on. */
export interface Calling {
  readonly owner: Owner;
  readonly client: Client;
  readonly era: 'modern' | 'legacy';
  readonly context: ServerContext;
}

export async function callTool(
  ports: McpNeeds,
  params: CallParams,
  calling: Calling,
): Promise<WireResult> {
  const read = readCall(ports, params, calling, calling.context.mcpReq._meta);
  if (calling.era === 'legacy') return callKnown(ports, { ...calling, params, call: read });
  // No tool takes them, and the digest that binds a state to its call would not survive them.
  if (isTooDeep(read.sent)) return failed(failureText(deepArguments(read)));
  const state = readState(ports, read, calling.context);
  const asked = askFirst(ports, read, state, calling.context);
  if (asked.kind === 'answer') return asked.result;
  return callKnown(ports, { ...calling, params, call: { ...asked.call, leg: state.leg } });
}

const deepArguments = ({ tool }: ToolCall): Failure => ({
  reason: 'invalid_arguments',
  tool: tool.name,
  flaws: [tooDeep],
});

/** A call that has all it needs to begin. */
async function callKnown(
  ports: McpNeeds,
  calling: Calling & { readonly params: CallParams; readonly call: ToolCall },
): Promise<WireResult> {
  const { call, params } = calling;
  const asTask = params.task !== undefined && call.client.version === legacyTasksVersion;
  if (asTask && !call.tool.longRunning) {
    const message = `The tool ${call.tool.name} cannot become a task.`;
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
  }
  if (!isHeld(call.tool)) return callQuick(ports, call, calling.context.mcpReq.signal);
  if (asTask) return createLegacyTask(ports, call);
  return calling.era === 'modern'
    ? callModern(ports, call, calling)
    : holdInline(ports, call, calling);
}

/** Read a call; a tool that is not there is the caller's mistake, not the tool's. */
export function readCall(
  ports: McpNeeds,
  params: CallParams,
  { owner, client }: Pick<Calling, 'owner' | 'client'>,
  meta: Readonly<Record<string, unknown>> | undefined,
): ToolCall {
  const tool = findTool(ports, params.name);
  if (!tool.ok) throw invalid(failureText(tool.failure));
  const adopted = adoptCall(meta);
  const args = params.arguments ?? {};
  return { owner, client, tool: tool.value, arguments: args, sent: args, adopted };
}

export const invalid = (message: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

async function callModern(ports: McpNeeds, call: ToolCall, calling: Calling): Promise<WireResult> {
  if (call.client.declaresTasks && call.tool.name !== waitTool)
    return createModernTask(ports, call, calling);
  if (call.tool.tasksOnly && !call.client.declaresTasks) throw missingTasks();
  return holdInLegs(ports, call, calling);
}

export const missingTasks = () =>
  new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });

async function createModernTask(
  ports: McpNeeds,
  call: ToolCall,
  { context }: Calling,
): Promise<WireResult> {
  const started = await (call.leg ? taskOfLeg(ports, call.leg, context) : startCall(ports, call));
  if (!started.ok) return failed(failureText(started.failure));
  return { resultType: 'task', ...modernTask(started.value, ports.clock.nowMs()) };
}

async function createLegacyTask(ports: McpNeeds, call: ToolCall): Promise<WireResult> {
  const started = await startCall(ports, call);
  // Who asked for a task takes no other result, and would never read why there is none.
  if (!started.ok) throw invalid(failureText(started.failure));
  const { value: task } = started;
  return {
    task: legacyTask(task, ports.clock.nowMs()),
    _meta: { 'io.modelcontextprotocol/model-immediate-response': stepOf(task) },
  };
}

async function callQuick(
  ports: McpNeeds,
  call: ToolCall,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const outcome = await runQuick(ports, { ...call, identity: call.adopted?.identity, signal });
  if (!outcome.ok) return failed(failureText(outcome.failure));
  const { value } = outcome;
  if (value.status === 'failed') return failed(value.error.message);
  return quickResult(call.tool, value.result, knowsLinks(call.client));
}
