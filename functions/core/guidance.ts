/** How to wait, told to the model once per long-running tool. It never says in which form the result comes. */
export const waitingGuidance =
  'This is a long-running tool. Do not call it again for the same operation: the result arrives by ' +
  'itself when it is ready. Do not invent a result. The user may go on talking meanwhile.';

/** How many results one call gives. */
export interface ResultCount {
  readonly min: number;
  readonly max: number;
}

/** The author's words, how many results to expect, and last, exactly once, how to wait. */
export function describeLongRunning(words: string, results: number | ResultCount): string {
  const own = words.replaceAll(waitingGuidance, '').trim();
  return [own, ...countText(results), waitingGuidance].join('\n\n');
}

function countText(results: number | ResultCount): readonly string[] {
  const { min, max } = typeof results === 'number' ? { min: results, max: results } : results;
  if (max <= 1) return [];
  const count = min === max ? `${max}` : `between ${min} and ${max}`;
  return [`It gives ${count} results, one after another.`];
}
