import type { Right } from '../core/oauth.ts';
import { peekJson } from './peek-json.ts';

/** What MCP clients send only to look. Anything else, known or not, counts as a change. */
const lookingMethods = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'server/discover',
  'logging/setLevel',
  'completion/complete',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'subscriptions/listen',
  'tasks/get',
  'tasks/list',
  'tasks/result',
]);
/** Tools that only look at tasks. */
const lookingTools = new Set(['wait_for_task', 'get_task', 'list_tasks', 'read_result']);

/** What a request asks for: over HTTP its method says it, over MCP its body. */
export async function rightNeeded(request: Request): Promise<Right> {
  const { pathname } = new URL(request.url);
  // Whoever has this secret can sign as we do: that is more than looking.
  if (pathname === '/v1/webhooks/secret') return 'change';
  if (request.method === 'GET' || request.method === 'HEAD') return 'read';
  if (pathname !== '/mcp') return 'change';
  // Ending an MCP session ends nothing here: all that it had stands in its id.
  if (request.method === 'DELETE') return 'read';
  const messages = [await peekJson(request)].flat();
  return messages.length > 0 && messages.every(onlyLooks) ? 'read' : 'change';
}

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly inputResponses?: unknown } | null;
}

/** A message without a method is an answer to a question of a task, and so is one that brings answers. */
function onlyLooks(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { method, params } = message as Message;
  if (params?.inputResponses !== undefined) return false;
  if (method === 'tools/call') return lookingTools.has(String(params?.name));
  return typeof method === 'string' && lookingMethods.has(method);
}
