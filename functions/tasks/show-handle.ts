import { handleOf, stepOf } from '../core/handle.ts';
import type { Task } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { openQuestions } from './open-questions.ts';

type Needs = Pick<Ports, 'tasks' | 'objects' | 'clock'>;

/** A handle and what to do with it: wait, or answer what the task asks. */
export async function showHandle(ports: Needs, task: Task) {
  const handle = handleOf(task, ports.clock.nowMs());
  const questions = await openQuestions(ports, task);
  const next = stepOf(task, questions);
  return { ...handle, next, ...(questions.length === 0 ? {} : { input_requests: questions }) };
}
