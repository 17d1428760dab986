import * as z from 'zod';
import { FatalError } from '../core/author-errors.ts';
import { failureText } from '../core/failure-text.ts';
import { asTaskId, type Owner } from '../core/ids.ts';
import { resultPageBytes } from '../core/limits.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { Task } from '../core/task.ts';
import { characterAt } from '../core/text.ts';
import type { Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { findTask } from '../tasks/find-task.ts';
import { readValue } from '../tasks/keep-value.ts';
import { defineTool } from './define-tool.ts';

type Needs = Pick<Ports, 'tasks' | 'objects' | 'clock'>;

/** Large results stay out of a history: the model is shown their head and reads on here. */
export const readResultTool = (ports: Needs): Tool =>
  defineTool({
    name: 'read_result',
    description:
      'Read a result of a task, as JSON text, a page at a time; next_offset in the answer leads to ' +
      'the next page.',
    input: z.object({
      task_id: z.string().min(1).max(128).describe('The id of the task'),
      offset: z.int().min(0).default(0).describe('Where to read on, in bytes'),
      part: z
        .int()
        .min(1)
        .optional()
        .describe('Of several results: which one; the last unless said'),
    }),
    output: z.object({
      offset: z.int(),
      next_offset: z.int().optional(),
      total_bytes: z.int(),
      text: z.string(),
    }),
    async run({ task_id: id, offset, part }, { owner }) {
      const value = await readValue(ports, await resultOf(ports, { owner, id, part }));
      return pageAt(Buffer.from(JSON.stringify(value)), offset);
    },
  });

interface Wanted {
  readonly owner: Owner;
  readonly id: string;
  readonly part: number | undefined;
}

async function resultOf(ports: Needs, { owner, id, part }: Wanted): Promise<StoredValue> {
  const found = await findTask(ports, { owner, taskId: asTaskId(id) });
  if (!found.ok) throw new FatalError(failureText(found.failure));
  const task: Task = found.value;
  if (part !== undefined && part <= task.parts) return ports.tasks.part(task, part);
  if (part !== undefined && part > task.parts + 1) {
    throw new FatalError(`The task has no result ${part}: it has given ${task.parts} so far.`);
  }
  if (task.state.status === 'completed') return ports.tasks.result(task);
  const late = await ports.tasks.late(task);
  if (!late) throw new FatalError(`The task has no result: it is ${task.state.status}.`);
  return late;
}

function pageAt(json: Buffer, wanted: number) {
  const offset = characterAt(json, wanted);
  const next = characterAt(json, offset + resultPageBytes);
  return {
    offset,
    ...(next < json.length ? { next_offset: next } : {}),
    total_bytes: json.length,
    text: json.subarray(offset, next).toString('utf8'),
  };
}
