import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import type { Owner } from '../../core/ids.ts';
import { peekJson } from '../peek-json.ts';
import type { ApiEnv } from '../rest.ts';
import { clientOfVisit, legacyTasksVersion, sessionFor, sessionHeader } from './client.ts';
import { listen, readListen } from './listen.ts';
import type { McpNeeds } from './needs.ts';
import { postedAnswer, takeAnswer } from './posted-answer.ts';
import { mcpServer } from './server.ts';
import { resumeStream, streamedRequest, streamRequest } from './streamed-request.ts';

/** One request at the door. */
export interface Visit {
  readonly owner: Owner;
  readonly request: Request;
  readonly body: unknown;
}

/**
 * MCP over HTTP, stateless: a fresh server per request, so that nothing of one client can reach another
 * through a warm function. What must outlive a connection is answered here, all else by the SDK.
 */
export function mcpDoor(ports: McpNeeds) {
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const { raw: request } = c.req;
    const body = request.method === 'POST' ? await peekJson(request) : undefined;
    const visit = { owner: c.get('owner'), request, body };
    return (await answerHere(ports, visit)) ?? answerBySdk(ports, visit);
  };
}

async function answerBySdk(ports: McpNeeds, visit: Visit): Promise<Response> {
  const { owner, request, body } = visit;
  const mcp = createMcpHandler((asked) => mcpServer(ports, visit, asked), {
    onerror: (error) => ports.log('warn', 'mcp request refused', { error: error.name }),
  });
  const response = await mcp.fetch(request, body === undefined ? {} : { parsedBody: body });
  const session = response.ok ? sessionFor(ports, owner, body) : undefined;
  if (session !== undefined) response.headers.set(sessionHeader, session);
  return response;
}

async function answerHere(ports: McpNeeds, visit: Visit): Promise<Response | undefined> {
  const { owner, request, body } = visit;
  if (request.method === 'GET') return resumeStream(ports, visit);
  // What does not say that it is JSON is refused by the SDK.
  if (!isJsonContentType(request.headers.get('content-type'))) return undefined;
  const listening = readListen(body, request.headers);
  if (listening) return listen(ports, owner, { request: listening, signal: request.signal });
  const answer = postedAnswer.safeParse(body);
  if (answer.success) return takeAnswer(ports, owner, answer.data);
  if (clientOfVisit(ports, visit).version !== legacyTasksVersion) return undefined;
  if (!request.headers.get('accept')?.includes('text/event-stream')) return undefined;
  const asked = streamedRequest.safeParse(body);
  // A body that says it is of 2026-07-28 is not what its headers say, and the SDK refuses it.
  if (!asked.success || !(await isLegacyRequest(request, body))) return undefined;
  return streamRequest(ports, visit, asked.data);
}
