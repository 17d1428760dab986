import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { readCursor } from '../../core/cursor.ts';
import { asTaskId, type Owner } from '../../core/ids.ts';
import { pageLimitDefault } from '../../core/limits.ts';
import { hasEnded, hasExpired, type Task } from '../../core/task.ts';
import { cursorText } from '../../core/cursor.ts';
import { failureText } from '../../core/failure-text.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { findTask } from '../../tasks/find-task.ts';
import { invalid, missingTasks } from './call-tool.ts';
import { clientInEnvelope } from './client.ts';
import { giveAnswers } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { detailedTask, legacyTask, noSuchTask } from './task-views.ts';

/** An id that is no text is refused like one that nobody has. */
export const taskParams = z.looseObject({ taskId: z.unknown().optional() });

/** The tasks extension of 2026-07-28. Each request must say that its client understands tasks. */
export function addModernTaskMethods(server: Server, ports: McpNeeds, owner: Owner): void {
  type Context = { readonly mcpReq: { readonly envelope?: unknown } };
  const taskOf = (taskId: unknown, { mcpReq }: Context) => {
    if (!clientInEnvelope(mcpReq.envelope).declaresTasks) throw missingTasks();
    return ownTask(ports, owner, taskId);
  };
  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, context) =>
    detailedTask(ports, await taskOf(taskId, context)),
  );
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, context) => {
    const task = await taskOf(taskId, context);
    // One that has ended is acknowledged too: it does not run, and that was the wish.
    if (!hasEnded(task)) await cancelTask(ports, task);
    return {};
  });
  server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, context) => {
    const task = await taskOf(taskId, context);
    const { inputResponses, droppedInputResponseKeys = [] } = context.mcpReq;
    // What is no object the SDK leaves out; its client would be told that it was taken.
    const unread = droppedInputResponseKeys.map((key) => [key, undefined]);
    const said = { ...inputResponses, ...Object.fromEntries(unread) };
    const flawed = await giveAnswers(ports, task, said);
    if (flawed) throw invalid(failureText(flawed));
    return {};
  });
}

/** The tasks of 2025-11-25; tasks/result is a stream of its own. */
export function addLegacyTaskMethods(server: Server, ports: McpNeeds, owner: Owner): void {
  const show = (task: Task) => legacyTask(task, ports.clock.nowMs());
  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }) =>
    show(await ownTask(ports, owner, taskId)),
  );
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }) => {
    const { taskId: found } = await ownTask(ports, owner, taskId);
    const cancelled = await cancelTask(ports, { owner, taskId: found });
    if (!cancelled.ok) throw invalid(failureText(cancelled.failure));
    return show(cancelled.value);
  });
  const listParams = z.looseObject({ cursor: z.string().optional() });
  server.setRequestHandler('tasks/list', { params: listParams }, async ({ cursor }) => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !after) throw invalid('The cursor is not one this list gave.');
    const { items, last } = await ports.tasks.list(owner, { limit: pageLimitDefault, after });
    const nowMs = ports.clock.nowMs();
    const tasks = items.filter((task) => !hasExpired(task, nowMs)).map(show);
    return { tasks, ...(last ? { nextCursor: cursorText(last) } : {}) };
  });
}

async function ownTask(ports: McpNeeds, owner: Owner, taskId: unknown): Promise<Task> {
  const found = await findTask(ports, { owner, taskId: asTaskId(textOf(taskId)) });
  if (!found.ok) throw invalid(noSuchTask.message);
  return found.value;
}

export const textOf = (taskId: unknown) => (typeof taskId === 'string' ? taskId : '');
