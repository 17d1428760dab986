import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import { errorTextBytesMax, resultBytesMax } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { EndEvent } from '../core/task-event.ts';
import type { EndedBy, Task, TaskError } from '../core/task.ts';
import { bytesOf, clipText } from '../core/text.ts';
import type { Ports } from '../ports.ts';
import { keepValue } from './keep-value.ts';

type Needs = Pick<Ports, 'objects' | 'tools' | 'clock' | 'newToken'>;

/** Who may end a task from outside: whoever answers its call, or whoever does its work. */
export type Outsider = Exclude<EndedBy, 'worker'>;

export type OutsideError =
  string | { readonly code?: string | undefined; readonly message: string };

export type OutsideEnd = Extract<EndEvent, { kind: 'completed' | 'failed' }> & {
  readonly by: Outsider;
  readonly token: string;
};

/** The end that a response makes, its result checked and kept. */
export async function endFrom(
  ports: Needs,
  task: Task,
  response: { readonly result: unknown } | { readonly error: OutsideError },
  by: Outsider,
): Promise<Result<OutsideEnd>> {
  const brought = { atMs: ports.clock.nowMs(), by, token: ports.newToken() };
  if ('error' in response)
    return ok({ kind: 'failed', error: errorFrom(response.error), ...brought });
  const checked = checkOutside(ports, task.tool, response.result);
  if (!checked.ok) return checked;
  const result = await keepValue(ports, task.owner, response.result);
  return ok({ kind: 'completed', result, ...brought });
}

/** The codes of errors are ours; another's code stands before its message. */
function errorFrom(given: OutsideError): TaskError {
  const { code, message } = typeof given === 'string' ? { message: given } : given;
  const text = code === undefined ? message : `${code}: ${message}`;
  return { code: 'tool_failed', message: clipText(text, errorTextBytesMax) };
}

/** Whether a result from outside can be kept, and is one that its tool gives. */
export function checkOutside(
  { tools }: Pick<Needs, 'tools'>,
  tool: string,
  result: unknown,
): Result<unknown> {
  if (isTooDeep(result)) {
    return refuse({ reason: 'result_schema_mismatch', tool, flaws: [tooDeep] });
  }
  if (bytesOf(JSON.stringify(result) ?? 'null') > resultBytesMax) {
    return refuse({ reason: 'body_too_large', bytesMax: resultBytesMax });
  }
  const checked = tools.get(tool)?.checkResult(result) ?? ok(result);
  if (checked.ok || checked.failure.reason !== 'invalid_arguments') return checked;
  return refuse({ ...checked.failure, reason: 'result_schema_mismatch' });
}
