import type { Task } from '../../functions/core/task.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { respondToTask, type TaskResponse } from '../../functions/tasks/respond-to-task.ts';
import type { MemoryHouse } from '../house.ts';
import { ringingHouse, session } from '../ringing-house.ts';
import { testTool } from '../test-tool.ts';

/** A house with one open task that nobody works on. */
export async function openHouse(tool: Parameters<typeof testTool>[0] = {}) {
  const { house, ports, rings, handleAll } = ringingHouse({ tools: [testTool(tool)] });
  const task = await house.start({ caller: session });
  for (const received of await ports.work.receive(10, 0)) await received.remove();
  const respond = async (response: TaskResponse, by: 'response' | 'callback' = 'response') =>
    respondToTask(ports, await house.task(task), response, by);
  return { house, ports, rings, handleAll, task, respond };
}

export const resultOf = async ({ ports }: MemoryHouse, task: Task) =>
  readValue(ports, await ports.tasks.result(task));
