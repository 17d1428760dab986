import {
  CLIENT_CAPABILITIES_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { asTaskId, type Owner } from '../../core/ids.ts';
import { streamMsMax } from '../../core/limits.ts';
import { hasEnded, type Task, type TaskKey } from '../../core/task.ts';
import { findTask } from '../../tasks/find-task.ts';
import { noteNotified } from '../../tasks/note-outcome.ts';
import { watchTask } from '../../tasks/watch-task.ts';
import { missingTasks } from './call-tool.ts';
import { clientInEnvelope, modernVersion } from './client.ts';
import { eventStream } from './event-stream.ts';
import type { McpNeeds } from './needs.ts';
import { detailedTask } from './task-views.ts';

/** subscriptions/listen with task ids, which the SDK's own listener does not know. */
const listenRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({
    _meta: z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}) }),
    notifications: z.looseObject({ taskIds: z.unknown() }).refine((wanted) => 'taskIds' in wanted),
  }),
});
const listenedIds = z.array(z.string()).max(100);
type ListenRequest = z.output<typeof listenRequest>;

/** Only a request that is right in all else; whatever is wrong with another, the SDK says. */
export function readListen(body: unknown, headers: Headers): ListenRequest | undefined {
  const read = listenRequest.safeParse(body);
  if (!read.success || headers.get('mcp-method') !== read.data.method) return undefined;
  const said = read.data.params._meta['io.modelcontextprotocol/protocolVersion'];
  return said === modernVersion && headers.get('mcp-protocol-version') === said
    ? read.data
    : undefined;
}

/** Tell each change of the tasks until all have ended. Any instance can: what it tells it reads. */
export function listen(
  ports: McpNeeds,
  owner: Owner,
  { request, signal }: { readonly request: ListenRequest; readonly signal: AbortSignal },
): Response {
  const { id, params } = request;
  if (!clientInEnvelope(params._meta).declaresTasks) return refuseListen(id, missingTasks());
  const wanted = listenedIds.safeParse(params.notifications.taskIds);
  if (!wanted.success) return refuseListen(id, wrongIds);
  const wantedIds = [...new Set(wanted.data)];
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  return eventStream(ports, signal, async (out, over) => {
    const keys = wantedIds.map((each) => ({ owner, taskId: asTaskId(each) }));
    const found = await Promise.all(keys.map((key) => findTask(ports, key)));
    const taskIds = found.flatMap((each) => (each.ok ? [each.value.taskId] : []));
    const method = 'notifications/subscriptions/acknowledged';
    out.message({ method, params: { _meta, notifications: { taskIds } } });
    const tell = async (task: Task) => {
      const detailed = await detailedTask(ports, task);
      out.message({ method: 'notifications/tasks', params: { _meta, ...detailed } });
      if (hasEnded(task) && !over.aborted) await noteNotified(ports, task);
    };
    const untilMs = ports.clock.nowMs() + streamMsMax;
    const watch = (key: TaskKey) => watchTask(ports, key, { untilMs, signal: over, seen: tell });
    await Promise.all(taskIds.map((taskId) => watch({ owner, taskId })));
    out.message({ id, result: { resultType: 'complete', _meta } });
  });
}

const wrongIds = { code: -32_602, message: 'taskIds must be an array of at most 100 texts.' };

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

function refuseListen(id: string | number, { code, message, data }: WireError): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { status: 400 });
}
