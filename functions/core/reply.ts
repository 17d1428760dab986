import { failureText } from './failure-text.ts';
import { asCallId, type TaskId } from './ids.ts';
import type { ModelCall, ModelReply } from './model.ts';
import { isTooDeep, tooDeep } from './json-depth.ts';
import { isLongRunning, type Offer } from './offer.ts';
import type { TaskError } from './task.ts';
import { isLong, type Call, type FinishReason, type Reply, type Turn } from './turn.ts';
import { uniqueCallId, type UsedIds } from './call-id.ts';

/** What turning a model's words into a stored reply needs to know. */
export interface ReplyContext {
  readonly turn: Turn;
  readonly offer: Offer;
  readonly model: string;
  readonly atMs: number;
  /** Call ids that were given before, in the history or left out of it. */
  readonly usedCallIds: UsedIds;
  /** Turns in a row that made calls since the user last spoke, this one included. */
  readonly turnsInRow: number;
  readonly turnsMax: number;
  taskIdFor(call: { readonly callId: string; readonly tool: string }): TaskId;
}

/** The reply as it is stored: every call has its id, and its task or the reason why it is not carried out. */
export function replyOf(said: ModelReply, context: ReplyContext): Reply {
  const given = new Set<string>();
  const calls = said.calls.map((call) => admit(call, context, given));
  return {
    text: said.text,
    calls,
    ...(said.parts === undefined ? {} : { parts: said.parts }),
    model: context.model,
    usage: said.usage,
    finishReason: finishReasonOf(calls, context),
    atMs: context.atMs,
  };
}

function admit(said: ModelCall, context: ReplyContext, given: Set<string>): Call {
  const has = (id: string) => given.has(id) || context.usedCallIds.has(id);
  const callId = uniqueCallId(said.id, { has });
  given.add(callId);
  const call = { callId: asCallId(callId), tool: said.name, arguments: said.arguments };
  const offered = context.offer.get(said.name);
  const refused = refusal(said, context);
  if (refused) return { ...call, refused };
  if (!offered || !isLongRunning(offered)) return call;
  return { ...call, taskId: context.taskIdFor(call) };
}

function refusal(said: ModelCall, context: ReplyContext): TaskError | undefined {
  if (context.turnsInRow >= context.turnsMax) {
    const message = `Not carried out: ${context.turnsMax} turns in a row made calls. Ask the user.`;
    return { code: 'tool_failed', message };
  }
  const offered = context.offer.get(said.name);
  if (!offered) {
    const known = [...context.offer.keys()];
    const message = failureText({ reason: 'tool_not_found', tool: said.name, known });
    return { code: 'tool_failed', message };
  }
  if (offered.kind === 'own') return refusalOfOwn(said);
  const checked = offered.tool.checkInput(said.arguments);
  return checked.ok ? undefined : { code: 'tool_failed', message: failureText(checked.failure) };
}

/** A tool of the caller's own has no rules of ours; what no tool can be given is refused all the same. */
function refusalOfOwn({ name, arguments: given }: ModelCall): TaskError | undefined {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const flaw = isTooDeep(given) ? tooDeep : isObject ? undefined : notAnObject;
  if (!flaw) return undefined;
  const message = failureText({ reason: 'invalid_arguments', tool: name, flaws: [flaw] });
  return { code: 'tool_failed', message };
}

const notAnObject = { path: '', message: 'expected a JSON object' };

function finishReasonOf(calls: readonly Call[], context: ReplyContext): FinishReason {
  const isPending = calls.some(isLong);
  if (calls.length > 0 && context.turnsInRow >= context.turnsMax) return 'max_turns';
  if (calls.length > 0 && !isPending) return 'tool_calls';
  return isPending || context.turn.intent.open.length > 0 ? 'input_required' : 'stop';
}

/** A turn that ends without the model's words: the user cut in, or the provider said no. */
export function cutReply(
  turn: Turn,
  cut: NonNullable<Reply['cut']>,
  said: {
    readonly model: string;
    readonly atMs: number;
    readonly text: string;
    readonly detail?: string;
  },
): Reply {
  const isOpen = turn.intent.open.length > 0;
  return {
    ...said,
    calls: [],
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    finishReason: cut === 'refused' ? 'error' : isOpen ? 'input_required' : 'stop',
    cut,
  };
}

/** Turns in a row that made calls, the one that is about to end included, back to the user's last words. */
export function turnsInRow(turns: readonly Turn[]): number {
  let count = 0;
  for (const turn of turns.toReversed()) {
    // A call that is refused counts as well: a model that asks for nonsense would never come to rest.
    const rested = turn.reply !== undefined && turn.reply.calls.length === 0;
    if (rested) break;
    count += 1;
    if (turn.intent.inputs.length > 0) break;
  }
  return count;
}
