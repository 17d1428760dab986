/** A correlation id is what stands behind `task_` in a task id: 24 bytes in base64url. */
const idLength = 32;
const candidatesMax = 4;

/**
 * What could be a planted id in texts that a CI system hands through. It may stand alone, behind a
 * word and a dash (`deploy-<id>`), or before one. Of one text the last counts first: a run's name ends
 * with the id, and what stands before it, such as a version, a model may have chosen.
 */
export function plantedIn(texts: readonly (string | undefined)[]): readonly string[] {
  const words = texts.flatMap((text) => text?.match(/[A-Za-z0-9_-]{32,}/g)?.toReversed() ?? []);
  const ids = words.flatMap((word) => [word.slice(-idLength), word.slice(0, idLength)]);
  return [...new Set(ids)].slice(0, candidatesMax);
}

export const correlationIdOf = (taskId: string) => taskId.replace(/^task_/, '');
