import type { CallToolResult, Result as WireResult } from '@modelcontextprotocol/server';
import { failureText } from '../../core/failure-text.ts';
import { hasRoundsLeft, holdOnceMs, mayFollow } from '../../core/ladder.ts';
import { ok, type Result } from '../../core/result.ts';
import { hasEnded, keyOf, type Task } from '../../core/task.ts';
import { watchTask } from '../../tasks/watch-task.ts';
import type { Calling } from './call-tool.ts';
import { knowsLinks } from './client.ts';
import {
  beginHold,
  heldAnswer,
  patienceMs,
  progressAfter,
  type HeldCall,
  type ToolCall,
} from './held-call.ts';
import { inputRequestsOf } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { taskOfLeg } from './request-state.ts';
import { lateMs, requestDigest, seal, type Leg } from './seals.ts';
import { failed } from './tool-result.ts';

/** Hold a call on its own connection, then answer with what there is. */
export async function holdInline(
  ports: McpNeeds,
  call: ToolCall,
  calling: Calling,
): Promise<CallToolResult> {
  const begun = await beginHold(ports, call);
  if (!begun.ok) return failed(failureText(begun.failure));
  const { task, form, untilMs } = begun.value;
  const onceMs = form === 'wait' ? Infinity : holdOnceMs(ports.settings, true);
  const found = await hold(ports, task, calling, Math.min(untilMs, ports.clock.nowMs() + onceMs));
  return heldAnswer(ports, form, found, knowsLinks(call.client));
}

/**
 * The same for 2026-07-28, where a client that is known to follow may be sent back with what it needs
 * to go on: nothing but the sealed leg, or the questions that the task asks.
 */
export async function holdInLegs(
  ports: McpNeeds,
  call: ToolCall,
  calling: Calling,
): Promise<WireResult> {
  const begun = await beginLeg(ports, call, calling);
  if (!begun.ok) return failed(failureText(begun.failure));
  const { leg, held, isFresh } = begun.value;
  const { form } = held;
  const onceMs = form === 'wait' ? Infinity : holdOnceMs(ports.settings, isFresh);
  const untilMs = Math.min(held.untilMs, ports.clock.nowMs() + onceMs);
  const found = await hold(ports, held.task, calling, untilMs);
  if (!found.ok || hasEnded(found.value)) return heldAnswer(ports, form, found);
  const next = { ...leg, round: leg.round + 1 };
  const requestState = seal(ports, 'leg', next, found.value.deadlineMs + lateMs);
  const isAsking = found.value.state.status === 'input_required';
  if (isAsking && call.client.elicits && hasRoundsLeft(next.round)) {
    const inputRequests = await inputRequestsOf(ports, found.value);
    return { resultType: 'input_required', inputRequests, requestState };
  }
  const leftMs = held.untilMs - ports.clock.nowMs();
  // A leg on which nothing is waited for would only use up a round.
  const nextMs = isAsking ? 0 : Math.min(leftMs, holdOnceMs(ports.settings, false));
  return nextMs > 0 && mayFollow(call.client.name, next.round)
    ? { resultType: 'input_required', requestState }
    : heldAnswer(ports, form, found);
}

interface BegunLeg {
  readonly leg: Leg;
  readonly held: HeldCall;
  /** It has just begun, or goes on with what its user has just said. */
  readonly isFresh: boolean;
}

async function beginLeg(
  ports: McpNeeds,
  call: ToolCall,
  { context }: Calling,
): Promise<Result<BegunLeg>> {
  if (call.leg) return continueLeg(ports, call, call.leg, context);
  const sinceMs = ports.clock.nowMs();
  const held = await beginHold(ports, call);
  if (!held.ok) return held;
  const digest = requestDigest(call.tool.name, call.sent);
  const { task, form } = held.value;
  const { owner, taskId } = task;
  const leg = { owner, taskId, form, digest, round: call.round ?? 0, sinceMs };
  return ok({ leg, held: held.value, isFresh: true });
}

async function continueLeg(
  ports: McpNeeds,
  call: ToolCall,
  leg: Leg,
  context: Calling['context'],
): Promise<Result<BegunLeg>> {
  const found = await taskOfLeg(ports, leg, context);
  if (!found.ok) return found;
  // While its user was thinking nobody held the call: with the answer its time begins anew.
  const isFresh = Object.keys(context.mcpReq.inputResponses ?? {}).length > 0;
  const sinceMs = isFresh ? ports.clock.nowMs() : leg.sinceMs;
  const untilMs = sinceMs + patienceMs(ports, call);
  const held = { task: found.value, form: leg.form, untilMs };
  return ok({ leg: { ...leg, sinceMs }, held, isFresh });
}

/** Until the task ends or asks, or the time is up; meanwhile the client hears how far it is. */
function hold(
  ports: McpNeeds,
  task: Task,
  { context }: Calling,
  untilMs: number,
): Promise<Result<Task>> {
  const { signal, notify, _meta } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  let told = -1;
  return watchTask(ports, keyOf(task), {
    untilMs,
    signal,
    isOver: (now) => hasEnded(now) || now.state.status === 'input_required',
    async seen(now) {
      const more = progressAfter(now, told);
      if (progressToken === undefined || !more) return;
      told = more.progress;
      await notify({ method: 'notifications/progress', params: { progressToken, ...more } });
    },
  });
}
