import type { StoredValue } from '../core/stored-value.ts';
import type { NamedQuestion } from '../core/task-event.ts';
import type { Task, TaskKey } from '../core/task.ts';
import type { TaskStore } from '../ports.ts';

type Shelf = Pick<TaskStore, 'question' | 'keepAnswer' | 'answer'>;

/** What tasks have asked, and what they were answered: the first of each name counts. */
export function memoryQuestions(): Shelf & {
  readonly putQuestions: (key: TaskKey, asked: readonly NamedQuestion[]) => void;
} {
  const questions = new Map<string, StoredValue>();
  const answers = new Map<string, StoredValue>();
  const placeOf = ({ owner, taskId }: TaskKey, name: string) => `${owner}#${taskId}#${name}`;
  const keepFirst = (kept: Map<string, StoredValue>, place: string, value: StoredValue) => {
    if (kept.has(place)) return false;
    kept.set(place, value);
    return true;
  };
  return {
    putQuestions(key, asked) {
      for (const { name, value } of asked) keepFirst(questions, placeOf(key, name), value);
    },
    async question(task: Task, name) {
      const found = questions.get(placeOf(task, name));
      if (!found) throw new Error(`The task has no question ${name}.`);
      return found;
    },
    keepAnswer: async (key, name, answer) => keepFirst(answers, placeOf(key, name), answer),
    answer: async (key, name) => answers.get(placeOf(key, name)),
  };
}
