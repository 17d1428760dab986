import { questionName } from '../../core/question.ts';
import { keepValue } from '../../tasks/keep-value.ts';
import type { McpNeeds } from './needs.ts';
import type { Place, PutQuestion } from './seals.ts';

/**
 * An answer that does not fit comes on a connection of its own, perhaps to another instance than the one
 * that asked. So it is noted beside the answers, and whoever holds the stream asks again.
 */
const markOf = (name: string, round: number) => `${name}.refused.${round}`;

/** A client that never answers well would otherwise make its place grow without end. */
const roundsMax = 8;

export async function noteRefused(ports: McpNeeds, question: PutQuestion): Promise<void> {
  const { owner, taskId, key, round } = question;
  const noted = await keepValue(ports, owner, true);
  await ports.tasks.keepAnswer({ owner, taskId }, markOf(questionName(key), round), noted);
  ports.signals.raise(taskId);
}

/** Of the open questions those that the stream must put: it never has, or the last answer was refused. */
export async function questionsDue(
  ports: McpNeeds,
  place: Place,
  asking: readonly string[],
): Promise<readonly string[]> {
  const { owner, taskId } = place;
  const isDue = await Promise.all(
    asking.map(async (name) => {
      const times = timesAsked(place, name);
      if (times === 0 || times >= roundsMax) return times === 0;
      return (await ports.tasks.answer({ owner, taskId }, markOf(name, times - 1))) !== undefined;
    }),
  );
  return asking.filter((_, index) => isDue[index]);
}

export const timesAsked = ({ asked }: Place, name: string): number =>
  asked.filter((each) => each === name).length;
