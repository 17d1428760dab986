import { isCallToolResult, type CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { asTaskId, type TaskId } from '../../core/ids.ts';
import { mcpResultBytesMax } from '../../core/limits.ts';
import type { EndedTask, Task } from '../../core/task.ts';
import { readResultTool } from '../../core/response-text.ts';
import { bytesOf, clipText } from '../../core/text.ts';
import type { Tool } from '../../core/tool.ts';
import { showHandle } from '../../tasks/show-handle.ts';
import { viewTask } from '../../tasks/view-task.ts';
import type { McpNeeds } from './needs.ts';
import { resultUri } from './result-pages.ts';

/** What a tools/call answers with, whatever the client speaks. */

export async function endedResult(
  ports: McpNeeds,
  task: EndedTask,
  links = true,
): Promise<CallToolResult> {
  switch (task.state.status) {
    case 'cancelled':
      return failed('The task was cancelled.');
    case 'failed':
      return failed(`${task.state.error.code}: ${task.state.error.message}`);
    case 'completed': {
      const { result } = await viewTask(ports, task);
      return fitting(endedOf(task, links), result, ownContent(result) ?? completed(result));
    }
  }
}

/** The same for wait_for_task, which tells whose result it is. */
export async function waitedResult(
  ports: McpNeeds,
  task: EndedTask,
  links = true,
): Promise<CallToolResult> {
  const { task_id, status, result, error } = await viewTask(ports, task);
  return fitting(endedOf(task, links), result, completed({ task_id, status, result, error }));
}

const viewed = z.looseObject({
  task_id: z.string().transform(asTaskId),
  tool: z.string(),
  status: z.string(),
  result: z.unknown(),
});

/** What a quick tool returned. One that shows a task may show a large result with it. */
export function quickResult(tool: Tool, result: unknown, links: boolean): CallToolResult {
  const whole = ownContent(result) ?? completed(result);
  const view = tool.name === 'get_task' ? viewed.safeParse(result) : undefined;
  if (!view?.success) return whole;
  const { task_id: taskId, tool: name, status, result: kept } = view.data;
  return fitting({ taskId, tool: name, status, links }, kept, whole);
}

export const handleResult = async (ports: McpNeeds, task: Task): Promise<CallToolResult> =>
  completed(await showHandle(ports, task));

/** Structured when it is an object, and always the same JSON as text, for clients that read only one. */
function completed(result: unknown): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(result) }];
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return isObject ? { content, structuredContent: { ...result } } : { content };
}

export const failed = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** A tool that returns MCP content (text, images, links) has it passed on as it is. */
function ownContent(result: unknown): CallToolResult | undefined {
  if (typeof result !== 'object' || result === null || !('content' in result)) return undefined;
  const { content } = result;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const known = ['content', 'structuredContent', 'isError'];
  if (Object.keys(result).some((key) => !known.includes(key))) return undefined;
  return isCallToolResult(result) ? result : undefined;
}

interface Ended {
  readonly taskId: TaskId;
  readonly tool: string;
  readonly status: string;
  /** Whether the client knows links to resources. */
  readonly links: boolean;
}

const endedOf = ({ taskId, tool, state: { status } }: EndedTask, links: boolean): Ended => ({
  taskId,
  tool,
  status,
  links,
});

/**
 * Clients cut or refuse what is too large for a model to read. So a large result is told by its head and
 * a link to the whole, in the form of a handle, which the published output schema allows.
 */
function fitting(task: Ended, result: unknown, whole: CallToolResult): CallToolResult {
  const json = JSON.stringify(result) ?? 'null';
  if (bytesOf(json) <= mcpResultBytesMax) return whole;
  const uri = resultUri(task.taskId);
  const bytes = bytesOf(json);
  const next =
    `The result is ready, but with ${bytes} bytes too large to show. result_head is its beginning. ` +
    `Read the rest with ${readResultTool}: task_id "${task.taskId}" and an offset in bytes; or as the ` +
    `resource ${uri}, in pages (?offset=).`;
  const told = completed({
    task_id: task.taskId,
    status: task.status,
    poll_after_ms: 0,
    next,
    result_bytes: bytes,
    result_uri: uri,
    result_head: clipText(json, headBytes),
  });
  const link = {
    type: 'resource_link' as const,
    uri,
    name: `Result of ${task.tool}`,
    mimeType: 'application/json',
    size: bytes,
  };
  const { isError } = whole;
  const content = task.links ? [...told.content, link] : told.content;
  return { ...told, content, ...(isError ? { isError } : {}) };
}

const headBytes = 4 * 1024;
