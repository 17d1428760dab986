import type { ServerContext } from '@modelcontextprotocol/server';
import type { Result } from '../../core/result.ts';
import type { Task } from '../../core/task.ts';
import { findTask } from '../../tasks/find-task.ts';
import type { ToolCall } from './held-call.ts';
import { giveAnswers } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { requestDigest, unseal, wrongState, type Asking, type Leg } from './seals.ts';

/** What a call was sent back with: before it began, or on its way. */
export interface RequestState {
  readonly asking?: Asking;
  readonly leg?: Leg;
}

/** A state must be ours and of this very call, whatever would become of it: else nothing begins. */
export function readState(
  ports: McpNeeds,
  call: ToolCall,
  { mcpReq }: ServerContext,
): RequestState {
  const state: unknown = mcpReq.requestState();
  if (state === undefined) return {};
  if (typeof state !== 'string') throw wrongState();
  const digest = requestDigest(call.tool.name, call.sent);
  const leg = unseal(ports, 'leg', state, call.owner);
  if (leg?.digest === digest) return { leg };
  const asking = unseal(ports, 'asking', state, call.owner);
  if (asking?.digest === digest) return { asking };
  throw wrongState();
}

/** The task of a call that goes on, told what its user has said meanwhile. */
export async function taskOfLeg(
  ports: McpNeeds,
  leg: Leg,
  { mcpReq }: ServerContext,
): Promise<Result<Task>> {
  const found = await findTask(ports, leg);
  const said = mcpReq.inputResponses ?? {};
  if (!found.ok || Object.keys(said).length === 0) return found;
  await giveAnswers(ports, found.value, said);
  return findTask(ports, leg);
}
