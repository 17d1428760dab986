import { ok } from '../functions/core/result.ts';
import type { Tool } from '../functions/core/tool.ts';

export type TestTool = Partial<Omit<Tool, 'retryRule'>> & {
  readonly retries?: number;
  readonly idempotent?: boolean;
};

/** A long-running tool named "slow" that takes anything and gives it back, except for what is said. */
export function testTool(said: TestTool = {}): Tool {
  const { retries = 3, idempotent = true, ...rest } = said;
  return {
    name: 'slow',
    description: 'Gives its input back.',
    longRunning: true,
    inputSchema: { type: 'object' },
    outputSchema: undefined,
    deadlineMs: 60 * 60_000,
    silenceMs: undefined,
    external: false,
    progressAt: [],
    results: () => ({ min: 1, max: 1 }),
    checkInput: ok,
    checkResult: ok,
    retryRule: () => ({ retries, idempotent }),
    run: async (input) => input,
    ...rest,
  };
}
