import { answeredOnto } from '../core/question.ts';
import type { StoredValue } from '../core/stored-value.ts';
import { keyOf, type Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { recordOnto } from './record-onto.ts';

type Needs = Pick<Ports, 'tasks' | 'clock' | 'signals'>;

export interface GivenAnswer {
  /** Of the question. */
  readonly name: string;
  readonly answer: StoredValue;
}

/**
 * Keep an answer, if it is the first, and record that its question has one; answers with the task as it is
 * then. What was answered before is left as it is, so this may be done any number of times.
 */
export async function applyAnswer(
  ports: Needs,
  task: Task,
  { name, answer }: GivenAnswer,
): Promise<Task | undefined> {
  if (!answeredOnto(task, name, 0)) return task;
  await ports.tasks.keepAnswer(keyOf(task), name, answer);
  const recorded = await recordOnto(ports, task, 'anyone', (now) =>
    answeredOnto(now, name, ports.clock.nowMs()),
  );
  ports.signals.raise(task.taskId);
  return recorded.kind === 'recorded' ? recorded.after : recorded.found;
}
