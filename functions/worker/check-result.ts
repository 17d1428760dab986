import { isTooDeep } from '../core/json-depth.ts';
import { errorTextBytesMax, resultBytesMax } from '../core/limits.ts';
import { messageOf } from '../core/retry.ts';
import { bytesOf, clipText } from '../core/text.ts';
import type { Tool } from '../core/tool.ts';
import { deepResult, resultFlaws } from '../tasks/run-quick.ts';

/** What a tool gave, as plain JSON; or a sentence that says what is wrong with it. */
export function checkResult(
  tool: Pick<Tool, 'checkResult'> | undefined,
  value: unknown,
): { readonly value: unknown } | string {
  try {
    const json = JSON.stringify(value) ?? 'null';
    const bytes = bytesOf(json);
    if (bytes > resultBytesMax) {
      return `The result has ${bytes} bytes; at most ${resultBytesMax} are kept.`;
    }
    const plain: unknown = JSON.parse(json);
    if (isTooDeep(plain)) return deepResult;
    const checked = tool?.checkResult(plain);
    if (!checked || checked.ok) return { value: plain };
    return clipText(resultFlaws(checked.failure), errorTextBytesMax);
  } catch (thrown) {
    return `The result is not JSON: ${messageOf(thrown)}`;
  }
}
