import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { failureText } from '../core/failure-text.ts';
import { handleOf, nextStep } from '../core/handle.ts';
import type { Owner } from '../core/ids.ts';
import { hasEnded, keyOf, type Task } from '../core/task.ts';
import type { Tool } from '../core/tool.ts';
import { runQuick } from '../tasks/run-quick.ts';
import { startTask } from '../tasks/start-task.ts';
import { viewTask } from '../tasks/view-task.ts';
import { waitForTask } from '../tasks/wait-for-task.ts';
import { version } from './version.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';

/**
 * MCP over HTTP, stateless: a fresh server per request, so that nothing of one client can reach another
 * through a warm function. Both protocol eras are served by the same tools.
 */
export function mcpDoor(ports: ApiNeeds) {
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const owner = c.get('owner');
    const mcp = createMcpHandler(() => mcpServer(ports, owner), {
      onerror: (error) => ports.log('warn', 'mcp request refused', { error: error.name }),
    });
    return mcp.fetch(c.req.raw);
  };
}

function mcpServer(ports: ApiNeeds, owner: Owner): Server {
  const server = new Server({ name: 'boomerang', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...ports.tools.values()].map(listed) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = ports.tools.get(params.name);
    if (!tool) {
      const known = [...ports.tools.keys()];
      const failure = { reason: 'tool_not_found', tool: params.name, known } as const;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, failureText(failure));
    }
    const call = { owner, tool, arguments: params.arguments ?? {}, signal: context.mcpReq.signal };
    return tool.longRunning ? callLongRunning(ports, call) : callQuick(ports, call);
  });
  return server;
}

interface ToolCall {
  readonly owner: Owner;
  readonly tool: Tool;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
}

/** A long-running tool publishes no output schema here: its first answer may be a handle instead. */
function listed(tool: Tool) {
  const { name, description } = tool;
  const inputSchema = { ...tool.inputSchema, type: 'object' as const };
  if (tool.longRunning || tool.outputSchema?.type !== 'object') {
    return { name, description, inputSchema };
  }
  return {
    name,
    description,
    inputSchema,
    outputSchema: { ...tool.outputSchema, type: 'object' as const },
  };
}

async function callQuick(ports: ApiNeeds, call: ToolCall): Promise<CallToolResult> {
  const outcome = await runQuick(ports, call);
  if (!outcome.ok) return failed(failureText(outcome.failure));
  const { value } = outcome;
  return value.status === 'completed' ? completed(value.result) : failed(value.error.message);
}

/** What ends within the grace time answers inline; anything longer answers with its handle. */
async function callLongRunning(ports: ApiNeeds, call: ToolCall): Promise<CallToolResult> {
  const { owner, tool } = call;
  const started = await startTask(ports, {
    owner,
    tool: tool.name,
    arguments: call.arguments,
    caller: { kind: 'client' },
  });
  if (!started.ok) return failed(failureText(started.failure));
  const waited = await waitForTask(ports, keyOf(started.value), ports.settings.graceMs);
  if (!waited.ok) return failed(failureText(waited.failure));
  return hasEnded(waited.value) ? ended(ports, waited.value) : handle(ports, waited.value);
}

async function ended(ports: ApiNeeds, task: Task): Promise<CallToolResult> {
  if (task.state.status === 'cancelled') return failed('The task was cancelled.');
  if (task.state.status === 'failed') {
    return failed(`${task.state.error.code}: ${task.state.error.message}`);
  }
  const { result } = await viewTask(ports, task);
  return completed(result);
}

const handle = (ports: ApiNeeds, task: Task): CallToolResult =>
  completed({
    ...handleOf(task, ports.clock.nowMs()),
    next: nextStep(task.tool, task.taskId),
  });

/** Structured when it is an object, and always the same JSON as text, for clients that read only one. */
function completed(result: unknown): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(result) }];
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return isObject ? { content, structuredContent: { ...result } } : { content };
}

const failed = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});
