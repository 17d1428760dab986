import { z } from '@hono/zod-openapi';

/** What /v1/sessions answers, as OpenAPI shows it. */

const status = z.enum(['idle', 'running', 'input_required', 'failed']);
const trigger = z.enum(['user', 'task', 'timer', 'response']);

export const createdSchema = z
  .object({ session_id: z.string(), status: z.literal('idle') })
  .openapi('CreatedSession');

export const takenSchema = z.object({ input_id: z.string() }).openapi('TakenInput');

export const answeredSchema = z
  .object({
    outcome: z.enum(['resolved', 'already_resolved', 'progressed', 'partial']),
    received: z.int().optional(),
    expected: z.int().optional(),
  })
  .openapi('Answered');

const pendingSchema = z.object({
  call_id: z.string(),
  task_id: z.string().optional(),
  tool: z.string(),
  state: z.enum(['waiting', 'running']),
  progress: z.object({ percent: z.number(), message: z.string() }).optional(),
});

export const sessionSchema = z
  .object({
    session_id: z.string(),
    status,
    finish_reason: z.enum(['stop', 'input_required', 'max_turns', 'error']).optional(),
    input_required_tool_ids: z.array(z.string()),
    pending: z.array(pendingSchema),
    turns: z.int(),
    created_at: z.iso.datetime(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .openapi('Session');

export const sessionPageSchema = z
  .object({
    items: z.array(
      sessionSchema.pick({ session_id: true, status: true, turns: true, created_at: true }),
    ),
    cursor: z.string().optional(),
  })
  .openapi('SessionPage');

const toolResponseSchema = z.object({
  call_id: z.string(),
  name: z.string(),
  status: z.enum(['working', 'completed', 'failed', 'cancelled']),
  result: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  initial: z.unknown().optional(),
});

const entrySchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  text: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown() }))
    .optional(),
  tool_response: toolResponseSchema.optional(),
  event: z.object({ call_id: z.string(), sequence: z.int() }).optional(),
  trigger: trigger.optional(),
  at: z.iso.datetime(),
});

export const historySchema = z.object({ entries: z.array(entrySchema) }).openapi('History');

export const eventsSchema = z
  .object({
    events: z.array(
      z.object({
        id: z.string(),
        event: z.enum(['input', 'turn', 'call', 'progress', 'task', 'status']),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    cursor: z.string(),
  })
  .openapi('SessionEvents');
