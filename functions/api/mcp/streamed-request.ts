import * as z from 'zod';
import { failureText } from '../../core/failure-text.ts';
import { asTaskId } from '../../core/ids.ts';
import { findTask } from '../../tasks/find-task.ts';
import { callParams, readCall, type CallParams } from './call-tool.ts';
import { clientInSession } from './client.ts';
import type { Visit } from './door.ts';
import { beginHold, isHeld } from './held-call.ts';
import { holdStream } from './hold-stream.ts';
import type { McpNeeds } from './needs.ts';
import { unseal } from './seals.ts';
import { taskParams, textOf } from './task-methods.ts';
import { noSuchTask } from './task-views.ts';
import { failed } from './tool-result.ts';

const id = z.union([z.string(), z.number()]);
const meta = z.looseObject({ progressToken: id.optional() }).optional();
const rpc = z.looseObject({ jsonrpc: z.literal('2.0'), id });

/** Requests of 2025-11-25 that may last longer than a connection. */
export const streamedRequest = z.discriminatedUnion('method', [
  rpc.extend({
    method: z.literal('tools/call'),
    params: callParams.extend({ _meta: meta, task: z.undefined().optional() }),
  }),
  rpc.extend({
    method: z.literal('tasks/result'),
    params: taskParams.extend({ _meta: meta }).optional(),
  }),
]);
type StreamedRequest = z.output<typeof streamedRequest>;
type Streamed<M extends StreamedRequest['method']> = Extract<StreamedRequest, { method: M }>;

/** Answer on a stream that outlives its connection; undefined for what the SDK may answer as well. */
export async function streamRequest(
  ports: McpNeeds,
  visit: Visit,
  asked: StreamedRequest,
): Promise<Response | undefined> {
  switch (asked.method) {
    case 'tools/call':
      return streamCall(ports, visit, asked);
    case 'tasks/result':
      return streamResult(ports, visit, asked);
  }
}

/** A client comes back for a call whose connection ended; a place we did not give says nothing to us. */
export function resumeStream(ports: McpNeeds, { owner, request }: Visit): Response | undefined {
  const lastId = request.headers.get('last-event-id');
  if (lastId === null) return undefined;
  const place = unseal(ports, 'place', lastId, owner);
  if (place) return holdStream(ports, place, { signal: request.signal, isFirst: false });
  const error = { code: -32_600, message: 'This event id is not known here, or no longer.' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}

async function streamCall(
  ports: McpNeeds,
  visit: Visit,
  { id: requestId, params }: Streamed<'tools/call'>,
): Promise<Response | undefined> {
  const { owner, request } = visit;
  if (!isHeldTool(ports, params)) return undefined;
  const client = clientInSession(ports, owner, request.headers);
  const begun = await beginHold(ports, readCall(ports, params, { owner, client }, params._meta));
  if (!begun.ok) {
    return Response.json({
      jsonrpc: '2.0',
      id: requestId,
      result: failed(failureText(begun.failure)),
    });
  }
  const { task, form, untilMs } = begun.value;
  const progressToken = params._meta?.progressToken;
  const { elicits } = client;
  const begins = { owner, taskId: task.taskId, form, requestId, untilMs, elicits };
  const token = progressToken === undefined ? {} : { progressToken };
  const place = { ...begins, ...token, percent: -1, asked: [] };
  return holdStream(ports, place, { signal: request.signal, isFirst: true });
}

function isHeldTool(ports: McpNeeds, { name }: CallParams): boolean {
  const tool = ports.tools.get(name);
  return tool !== undefined && isHeld(tool);
}

/** Far longer than the sweep takes. */
const sweptMs = 60 * 60_000;

/** Blocks until the task has ended, however long and over however many connections that takes. */
async function streamResult(
  ports: McpNeeds,
  { owner, request }: Visit,
  { id: requestId, params }: Streamed<'tasks/result'>,
): Promise<Response> {
  const found = await findTask(ports, { owner, taskId: asTaskId(textOf(params?.taskId)) });
  if (!found.ok) return Response.json({ jsonrpc: '2.0', id: requestId, error: noSuchTask });
  const { elicits } = clientInSession(ports, owner, request.headers);
  const { taskId, deadlineMs } = found.value;
  // Past its deadline the sweep ends it; only then is there nothing more to wait for.
  const untilMs = deadlineMs + sweptMs;
  const place = { owner, taskId, requestId, untilMs, elicits, percent: -1, asked: [] };
  return holdStream(ports, { ...place, form: 'result' }, { signal: request.signal, isFirst: true });
}
