import { FatalError } from '../core/author-errors.ts';
import type { Failure } from '../core/failure.ts';
import { faultOf } from '../core/fault.ts';
import type { Owner } from '../core/ids.ts';
import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import { quickErrorTextBytesMax } from '../core/limits.ts';
import { isOutage, outageText } from '../core/outage.ts';
import { ok, type Result } from '../core/result.ts';
import { messageOf } from '../core/retry.ts';
import type { TaskError } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';

type Needs = Pick<Ports, 'newTaskId' | 'log'>;

export type QuickOutcome =
  | { readonly status: 'completed'; readonly result: unknown }
  | { readonly status: 'failed'; readonly error: TaskError };

interface QuickCall {
  readonly owner: Owner;
  readonly tool: Tool;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
  /** A repeated call with the same key has the same effect; without one every call is new. */
  readonly identity?: string | undefined;
  /** Whether the user of its session has spoken since it was told what a task asks. */
  readonly heardUser?: (taskId: string) => boolean;
}

/** Run a quick tool here and now. It has no task, so nothing of it is kept but its effect. */
export async function runQuick(ports: Needs, call: QuickCall): Promise<Result<QuickOutcome>> {
  const checked = call.tool.checkInput(call.arguments);
  if (!checked.ok) return checked;
  try {
    const value = await call.tool.run(checked.value, {
      owner: call.owner,
      idempotencyKey: keyFor(ports, call),
      attempt: 1,
      signal: call.signal,
      state: undefined,
      callback: undefined,
      ...(call.heardUser ? { heardUser: call.heardUser } : {}),
      register: async () => {},
      progress: async () => {},
      result: async () => {},
      checkpoint: async () => {},
      ask: noAsking,
      askAll: noAsking,
    });
    const result: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    if (isTooDeep(result)) return ok(failed(deepResult));
    const fits = call.tool.checkResult(result);
    return ok(fits.ok ? { status: 'completed', result } : failed(resultFlaws(fits.failure)));
  } catch (thrown) {
    return ok(failed(answerTo(ports, call, thrown)));
  }
}

/** What a caller is told of what its tool threw. An outage is thrown on, without what it says. */
function answerTo({ log }: Needs, { tool: { name: tool } }: QuickCall, thrown: unknown): string {
  const fault = faultOf(thrown);
  if (isOutage(thrown)) {
    log('error', 'quick tool met an outage', { tool, ...fault });
    throw new Error(outageText);
  }
  log('warn', 'quick tool failed', { tool, error: fault.error });
  return messageOf(thrown, quickErrorTextBytesMax);
}

async function noAsking(): Promise<never> {
  throw new FatalError('Only a long-running tool can ask.');
}

/** Made like a task's id, so that one owner's key never meets another's. */
function keyFor(ports: Needs, { owner, tool, identity }: QuickCall): string {
  if (identity === undefined) return ports.newTaskId();
  return ports.newTaskId({ owner, tool: tool.name, key: identity });
}

const failed = (message: string): QuickOutcome => ({
  status: 'failed',
  error: { code: 'tool_failed', message },
});

export const deepResult = `The result is not kept: ${tooDeep.message}.`;

/** What is wrong with a result its own tool produced. */
export function resultFlaws(failure: Failure): string {
  const flaws = 'flaws' in failure ? failure.flaws : [];
  const told = flaws.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return `The result does not match the tool's output schema: ${told}`;
}
