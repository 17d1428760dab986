import * as z from 'zod';
import { FatalError } from '../core/author-errors.ts';
import { readCursor } from '../core/cursor.ts';
import { failureText } from '../core/failure-text.ts';
import { answerTool } from '../core/handle.ts';
import { asTaskId, type Owner } from '../core/ids.ts';
import { pageLimitDefault, pageLimitMax, questionKeyMax, waitSMax } from '../core/limits.ts';
import type { Result } from '../core/result.ts';
import { hasEnded } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { answerTask } from '../tasks/answer-task.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { findTask } from '../tasks/find-task.ts';
import { listTasks } from '../tasks/list-tasks.ts';
import { showHandle } from '../tasks/show-handle.ts';
import { startTask } from '../tasks/start-task.ts';
import { viewTask } from '../tasks/view-task.ts';
import { waitForTask } from '../tasks/wait-for-task.ts';
import { defineTool } from './define-tool.ts';
import { readResultTool } from './read-result.ts';

export type BackgroundNeeds = Pick<
  Ports,
  'tasks' | 'objects' | 'newToken' | 'work' | 'tools' | 'clock' | 'signals' | 'newTaskId'
>;

const taskId = z.object({ task_id: z.string().min(1).max(128).describe('The id from a handle') });

/** The background pattern, for any client: start now, ask or wait later, with ordinary tools. */
export const backgroundTools = (ports: BackgroundNeeds): readonly Tool[] =>
  [
    startTaskTool,
    waitForTaskTool,
    getTaskTool,
    answerTaskTool,
    cancelTaskTool,
    listTasksTool,
    readResultTool,
  ].map((make) => make(ports));

const startTaskTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: 'start_task',
    description: 'Start any tool in the background and get a handle at once.',
    input: z.object({
      tool: z.string().min(1).describe('Name of the tool to start'),
      arguments: z.record(z.string(), z.unknown()).default({}).describe('Arguments of that tool'),
    }),
    async run(input, { owner, idempotencyKey: identity }) {
      const caller = { kind: 'client' } as const;
      return showHandle(ports, must(await startTask(ports, { owner, caller, identity, ...input })));
    },
  });

const waitForTaskTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: 'wait_for_task',
    description:
      'Wait for a task to end and get its result. Answers with the handle again if it is not over yet, ' +
      'or asks something first.',
    input: taskId.extend({
      timeout_s: z.number().min(0).max(waitSMax).default(waitSMax).describe('Seconds to wait'),
    }),
    async run(input, { owner }) {
      const key = keyFor(owner, input.task_id);
      const task = must(await waitForTask(ports, key, input.timeout_s * 1000));
      if (!hasEnded(task)) return showHandle(ports, task);
      const { task_id, status, result, error } = await viewTask(ports, task);
      return { task_id, status, result, error };
    },
  });

const getTaskTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: 'get_task',
    description: 'Read a task as it is now: status, progress, and the result once it has ended.',
    input: taskId,
    async run(input, { owner }) {
      return viewTask(ports, must(await findTask(ports, keyFor(owner, input.task_id))));
    },
  });

const answerTaskTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: answerTool,
    description:
      'Answer a question that a task asks before it goes on. What is for the user to decide, ask the user first.',
    idempotent: true,
    input: taskId.extend({
      key: z.string().min(1).max(questionKeyMax).describe('The key of the question'),
      value: z.unknown().describe('What fits the schema of the question, or {"action":"decline"}'),
    }),
    async run({ task_id: id, ...said }, { owner, heardUser }) {
      const answer = { ...said, byModel: heardUser?.(id) !== true };
      return showHandle(ports, must(await answerTask(ports, keyFor(owner, id), answer)));
    },
  });

const cancelTaskTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: 'cancel_task',
    description: 'Cancel a task that has not ended.',
    input: taskId,
    async run(input, { owner }) {
      return viewTask(ports, must(await cancelTask(ports, keyFor(owner, input.task_id))));
    },
  });

const listTasksTool = (ports: BackgroundNeeds) =>
  defineTool({
    name: 'list_tasks',
    description: 'List tasks, newest first; a cursor in the answer leads to the next page.',
    input: z.object({
      limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
      cursor: z.string().optional(),
      status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']).optional(),
      tool: z.string().optional(),
    }),
    async run({ limit, cursor, ...filter }, { owner }) {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      if (cursor !== undefined && !after) throw new FatalError('cursor: not one this list gave.');
      return listTasks(ports, owner, { limit, after, filter });
    },
  });

const keyFor = (owner: Owner, id: string) => ({ owner, taskId: asTaskId(id) });

/** A refusal becomes the tool's own failure, in words the model can act on. */
function must<T>(result: Result<T>): T {
  if (!result.ok) throw new FatalError(failureText(result.failure));
  return result.value;
}
