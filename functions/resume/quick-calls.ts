import { failureText } from '../core/failure-text.ts';
import { pageShownBytesMax, shownBytesMax } from '../core/limits.ts';
import type { Offer } from '../core/offer.ts';
import { userSpokeSince } from '../core/question.ts';
import { readResultTool } from '../core/response-text.ts';
import type { SessionKey } from '../core/session.ts';
import { callsOf, isQuick, type Call, type QuickResponse, type Turn } from '../core/turn.ts';
import { showValue } from '../core/untrusted-text.ts';
import type { Ports } from '../ports.ts';
import { identityOf } from '../sessions/start-call.ts';
import { runQuick } from '../tasks/run-quick.ts';

type Needs = Pick<Ports, 'newTaskId' | 'log'>;

interface QuickRun {
  readonly key: SessionKey;
  readonly turn: Turn;
  /** The turns up to it, as far as they are known. */
  readonly turns: readonly Turn[];
  readonly offer: Offer;
  readonly signal: AbortSignal;
  /** An earlier holder of the turn died: what it did is not known. */
  readonly again: boolean;
}

/** Run the quick calls of a turn side by side; their responses stand in request order. */
export const runQuickCalls = (ports: Needs, run: QuickRun): Promise<readonly QuickResponse[]> =>
  Promise.all(
    callsOf(run.turn)
      .filter(isQuick)
      .map((call) => runOne(ports, run, call)),
  );

async function runOne(ports: Needs, run: QuickRun, call: Call): Promise<QuickResponse> {
  const { callId } = call;
  const offered = run.offer.get(call.tool);
  if (offered?.kind !== 'ours') throw new Error('A quick call has no tool of ours.');
  const { tool } = offered;
  if (run.again && !tool.retryRule(call.arguments).idempotent) {
    const message = 'The call was interrupted. It may or may not have had its effect.';
    return { callId, status: 'failed', error: { code: 'outcome_unknown', message } };
  }
  const outcome = await runQuick(ports, {
    owner: run.key.owner,
    tool,
    arguments: call.arguments,
    signal: run.signal,
    heardUser: (taskId) => userSpokeSince(run.turns, taskId),
    identity: identityOf(run.key, run.turn.number, callId),
  });
  if (!outcome.ok) {
    const message = failureText(outcome.failure);
    return { callId, status: 'failed', error: { code: 'tool_failed', message } };
  }
  const { value } = outcome;
  if (value.status === 'failed') return { callId, ...value };
  // What was asked for page by page is shown by the page.
  const bytesMax = tool.name === readResultTool ? pageShownBytesMax : shownBytesMax;
  return { callId, status: 'completed', value: showValue(JSON.stringify(value.result), bytesMax) };
}
