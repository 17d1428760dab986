import type { Task } from '../../core/task.ts';
import type { Question } from '../../core/tool.ts';
import type { McpNeeds } from './needs.ts';

/** A question of a running task as MCP asks it. */
export interface InputRequest {
  readonly method: 'elicitation/create';
  readonly params: {
    readonly mode: 'form';
    readonly message: string;
    readonly requestedSchema: Readonly<Record<string, unknown>>;
  };
}

export const formOf = ({ message, schema }: Question): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: schema },
});

export type InputRequests = Readonly<Record<string, InputRequest>>;

/** Every question of a task that has no answer yet, by its key. */
export async function inputRequestsOf(_ports: McpNeeds, _task: Task): Promise<InputRequests> {
  return {};
}

/** Hand the answers to the task; what it has not asked, or has heard already, is left aside. */
export async function giveAnswers(
  _ports: McpNeeds,
  _task: Task,
  _responses: Readonly<Record<string, unknown>>,
): Promise<void> {}
