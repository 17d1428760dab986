import type { Task } from '../core/task.ts';
import type { AskedQuestion } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { readValue } from './keep-value.ts';

type Needs = Pick<Ports, 'tasks' | 'objects'>;

/** What a task waits to be told, in the order in which it asked. */
export async function openQuestions(ports: Needs, task: Task): Promise<readonly AskedQuestion[]> {
  if (task.state.status !== 'input_required') return [];
  return Promise.all(task.asking.map((name) => readQuestion(ports, task, name)));
}

export const readQuestion = async (
  ports: Needs,
  task: Task,
  name: string,
): Promise<AskedQuestion> =>
  (await readValue(ports, await ports.tasks.question(task, name))) as AskedQuestion;
