/** What stops a start and is not a bug: said in one sentence, without a stack. */
type StartProblem = Error & { readonly name: 'StartProblem' };

export function startProblem(sentence: string): StartProblem {
  return Object.assign(new Error(sentence), { name: 'StartProblem' as const });
}

export const isStartProblem = (thrown: unknown): thrown is StartProblem =>
  thrown instanceof Error && thrown.name === 'StartProblem';

/** Use a file of the data folder. What the file system refuses is no bug, and is told by the file's name. */
export function tryFile<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === '') throw thrown;
    throw startProblem(`${path} cannot be used (${code}): restore it or move it away.`);
  }
}

export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
