/** How to wait, told to the model once per long-running tool. It never says in which form the result comes. */
export const waitingGuidance =
  'This is a long-running tool. Do not call it again for the same operation: the result arrives by ' +
  'itself when it is ready. Do not invent a result. The user may go on talking meanwhile.';

/** The author's words, how many results to expect, and last, exactly once, how to wait. */
export function describeLongRunning(words: string, results: number): string {
  const own = words.replaceAll(waitingGuidance, '').trim();
  const count = results > 1 ? [`It gives ${results} results, one after another.`] : [];
  return [own, ...count, waitingGuidance].join('\n\n');
}
