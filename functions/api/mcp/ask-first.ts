import type { Result as WireResult, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { hasRoundsLeft } from '../../core/ladder.ts';
import type { Question } from '../../core/tool.ts';
import type { ToolCall } from './held-call.ts';
import { contentOf, formOf } from './forms.ts';
import type { McpNeeds } from './needs.ts';
import type { RequestState } from './request-state.ts';
import { requestDigest, seal, type Asking } from './seals.ts';
import { failed } from './tool-result.ts';

/** How long a person may think before the call must be made anew. */
const thinkMs = 24 * 60 * 60_000;

const accepted = z.looseObject({
  action: z.literal('accept'),
  content: z.record(z.string(), z.unknown()),
});

type Asked =
  | { readonly kind: 'answer'; readonly result: WireResult }
  | { readonly kind: 'go on'; readonly call: ToolCall };

/**
 * Some tools must know more than their arguments before they begin. A client of 2026-07-28 that can ask
 * its user is sent back with the questions, round by round; each answer joins the arguments under its
 * key, and only then does the call begin. For any other client, and for one that has been sent back as
 * often as it follows, the tool's schema says what is missing.
 */
export function askFirst(
  ports: McpNeeds,
  call: ToolCall,
  state: RequestState,
  { mcpReq }: ServerContext,
): Asked {
  const { tool, client } = call;
  const goOn = { kind: 'go on', call } as const;
  // A call that has begun is past its first questions.
  if (!tool.asksFirst || !client.elicits || state.leg) return goOn;
  const before = state.asking?.answers ?? {};
  const asked = { ...asRecord(call.arguments), ...before };
  const heard = hear(Object.entries(tool.asksFirst(asked)), mcpReq.inputResponses ?? {});
  if ('refused' in heard) {
    return { kind: 'answer', result: failed(`The question "${heard.refused}" was not answered.`) };
  }
  const known = { ...asked, ...heard.answers };
  const open = Object.entries(tool.asksFirst(known)).filter(([key]) => !Object.hasOwn(known, key));
  const round = state.asking?.round ?? 0;
  if (open.length === 0 || !hasRoundsLeft(round + 1)) {
    return { kind: 'go on', call: { ...call, arguments: known, round } };
  }
  const answers = { ...before, ...heard.answers };
  return { kind: 'answer', result: question(ports, call, open, { answers, round: round + 1 }) };
}

function question(
  ports: McpNeeds,
  call: ToolCall,
  open: readonly (readonly [string, Question])[],
  said: Pick<Asking, 'answers' | 'round'>,
): WireResult {
  const { owner } = call;
  const asking = { owner, digest: requestDigest(call.tool.name, call.sent), ...said };
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(open.map(([key, each]) => [key, formOf(each)])),
    requestState: seal(ports, 'asking', asking, ports.clock.nowMs() + thinkMs),
  };
}

/** What was never asked is left aside. */
function hear(
  questions: readonly (readonly [string, Question])[],
  responses: Readonly<Record<string, unknown>>,
) {
  const answers = new Map<string, unknown>();
  for (const [key, one] of questions.filter(([each]) => Object.hasOwn(responses, each))) {
    const read = accepted.safeParse(responses[key]);
    if (!read.success) return { refused: key };
    answers.set(key, contentOf(one, read.data.content));
  }
  return { answers: Object.fromEntries(answers) };
}

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});
