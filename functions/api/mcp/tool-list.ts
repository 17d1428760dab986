import type { JsonSchema, Tool } from '../../core/tool.ts';

const handleSchema = {
  type: 'object',
  description: 'What is given instead of a result that is not there yet, or too large to show.',
  properties: {
    task_id: { type: 'string' },
    status: { type: 'string' },
    poll_after_ms: { type: 'integer' },
    next: { type: 'string' },
    input_requests: { type: 'array', items: { type: 'object' } },
  },
  required: ['task_id', 'status', 'poll_after_ms', 'next'],
};

/** A tool as tools/list shows it. Only 2025-11-25 asks per tool whether it may become a task. */
export function listedTool(tool: Tool, hasLegacyTasks: boolean) {
  const { name, description } = tool;
  const inputSchema = { ...tool.inputSchema, type: 'object' as const };
  const outputSchema = listedOutput(tool);
  const mayBecomeTask = tool.longRunning && hasLegacyTasks;
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
    ...(mayBecomeTask ? { execution: { taskSupport: 'optional' as const } } : {}),
  };
}

/** Clients check each answer against it, and the first answer of a long-running tool may be a handle. */
function listedOutput({ longRunning, outputSchema }: Tool) {
  if (outputSchema?.type !== 'object') return undefined;
  if (!longRunning) return { ...outputSchema, type: 'object' as const };
  const { $defs, ...own } = outputSchema;
  const anyOf: JsonSchema[] = [own, handleSchema];
  // References begin at the root, so what they name stays there.
  return { type: 'object' as const, anyOf, ...($defs === undefined ? {} : { $defs }) };
}
