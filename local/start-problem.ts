/** What stops a start and is not a bug: said in one sentence, without a stack. */
export type StartProblem = Error & { readonly name: 'StartProblem' };

export function startProblem(sentence: string): StartProblem {
  return Object.assign(new Error(sentence), { name: 'StartProblem' as const });
}

export const isStartProblem = (thrown: unknown): thrown is StartProblem =>
  thrown instanceof Error && thrown.name === 'StartProblem';

export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
