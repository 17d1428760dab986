import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type JSONRPCRequest,
  type McpRequestContext,
  type Result as WireResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { faultOf } from '../../core/fault.ts';
import type { Owner } from '../../core/ids.ts';
import { version } from '../version.ts';
import { callParams, callTool } from './call-tool.ts';
import { clientInEnvelope, clientOfVisit, legacyTasksVersion, tasksExtension } from './client.ts';
import type { Visit } from './door.ts';
import type { McpNeeds } from './needs.ts';
import { readResultPage, resultTemplate } from './result-pages.ts';
import { addLegacyTaskMethods, addModernTaskMethods } from './task-methods.ts';
import { listedTool } from './tool-list.ts';

/** The tools of a deployment change with a deployment, so a list may be kept for a minute. */
const listed = { ttlMs: 60_000, cacheScope: 'public' as const };
const cacheHints = {
  'server/discover': listed,
  'tools/list': listed,
  'resources/list': listed,
  'resources/templates/list': listed,
};

/** A server for one request. Neither generation of tasks may show in the other's era. */
export function mcpServer(ports: McpNeeds, visit: Visit, { era }: McpRequestContext): Server {
  const { owner } = visit;
  const speaker = clientOfVisit(ports, visit);
  const hasLegacyTasks = era === 'legacy' && speaker.version === legacyTasksVersion;
  const tasks = {
    ...(era === 'modern' ? { extensions: { [tasksExtension]: {} } } : {}),
    ...(hasLegacyTasks
      ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
      : {}),
  };
  const server = new Server(
    { name: 'boomerang', version },
    { capabilities: { tools: {}, resources: {}, ...tasks }, cacheHints },
  );
  wrapHandlers(server, ports);
  server.setRequestHandler('tools/list', () => ({
    tools: [...ports.tools.values()].map((tool) => listedTool(tool, hasLegacyTasks)),
  }));
  server.setRequestHandler('tools/call', { params: callParams }, (params, context) => {
    const client = era === 'modern' ? clientInEnvelope(context.mcpReq.envelope) : speaker;
    return callTool(ports, params, { owner, client, era, context });
  });
  if (era === 'modern') addModernTaskMethods(server, ports, owner);
  if (hasLegacyTasks) addLegacyTaskMethods(server, ports, owner);
  addResources(server, ports, owner);
  return server;
}

function addResources(server: Server, ports: McpNeeds, owner: Owner): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [resultTemplate],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const page = await readResultPage(ports, owner, uri);
    if (!page) throw new ResourceNotFoundError(uri);
    return { contents: [page] };
  });
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<WireResult>;

/**
 * The SDK makes a tool result of whatever tools/call answers, which a task is not. Its hook for wrapping
 * handlers is the documented way round: tasks pass it by, all else is checked as before.
 */
function wrapHandlers(server: Server, ports: McpNeeds): void {
  const wrap = server['_wrapHandler'].bind(server);
  const passing =
    (handler: Handler): Handler =>
    async (request, context) => {
      let task: WireResult | undefined;
      const checking = wrap('tools/call', async (...call) => {
        const result = await handler(...call);
        task = isTask(result) ? result : undefined;
        return task ? { content: [] } : result;
      });
      const checked = await checking(request, context);
      return task ?? checked;
    };
  Object.assign(server, {
    _wrapHandler: (method: string, handler: Handler) =>
      withoutInternals(ports, method === 'tools/call' ? passing(handler) : wrap(method, handler)),
  });
}

/** What nobody expected the SDK would tell in its own words, which are none of the client's business. */
const withoutInternals =
  ({ log }: McpNeeds, handler: Handler): Handler =>
  async (request, context) => {
    try {
      return await handler(request, context);
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      log('error', 'mcp request failed', { method: request.method, ...faultOf(thrown) });
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong here.');
    }
  };

const isTask = (result: WireResult) => result.resultType === 'task' || result.task !== undefined;
