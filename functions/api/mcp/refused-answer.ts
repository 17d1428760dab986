import { questionName } from '../../core/question.ts';
import type { TaskKey } from '../../core/task.ts';
import { keepValue } from '../../tasks/keep-value.ts';
import type { McpNeeds } from './needs.ts';
import type { Place, PutQuestion } from './seals.ts';

/**
 * An answer that does not fit comes on a connection of its own, perhaps to another instance than the one
 * that asked. So it is noted beside the answers, and whoever goes on with the stream asks again.
 */
const markOf = (name: string, round: number) => `${name}.refused.${round}`;

/** A client that never answers well would otherwise make its place grow without end. */
const roundsMax = 8;

export async function noteRefused(ports: McpNeeds, question: PutQuestion): Promise<void> {
  const { owner, taskId, key, round } = question;
  const noted = await keepValue(ports, owner, true);
  await ports.tasks.keepAnswer({ owner, taskId }, markOf(questionName(key), round), noted);
}

/** Names of questions in the stream whose last answer was refused. */
export async function refusedIn(ports: McpNeeds, place: Place): Promise<Set<string>> {
  const names = [...new Set(place.asked)].filter((name) => timesAsked(place, name) < roundsMax);
  const key: TaskKey = { owner: place.owner, taskId: place.taskId };
  const noted = await Promise.all(
    names.map((name) => ports.tasks.answer(key, markOf(name, timesAsked(place, name) - 1))),
  );
  return new Set(names.filter((_, index) => noted[index] !== undefined));
}

export const timesAsked = ({ asked }: Place, name: string): number =>
  asked.filter((each) => each === name).length;
