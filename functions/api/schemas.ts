import { z } from '@hono/zod-openapi';
import {
  deadlineMsMax,
  idempotencyKeyMax,
  pageLimitDefault,
  pageLimitMax,
  questionKeyMax,
  waitSMax,
} from '../core/limits.ts';
import { payloadSchema, webhookUrl } from './webhook-schemas.ts';

/** The wire of /v1/tasks, as OpenAPI shows it. */

const statusSchema = z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']);

const errorSchema = z.object({ code: z.string(), message: z.string() });

export const startBody = z
  .strictObject({
    tool: z.string().min(1).max(64).openapi({ example: 'batch_create_users_async' }),
    arguments: z.record(z.string(), z.unknown()).default({}),
    idempotency_key: z
      .string()
      .min(1)
      .max(idempotencyKeyMax)
      .optional()
      .openapi({
        description:
          'A repeated start with the same key finds the same task; with other arguments it is refused. ' +
          'A quick tool has no task: there the key only makes a repeated call have one effect.',
      }),
    deadline_s: z
      .int()
      .min(1)
      .max(deadlineMsMax / 1000)
      .optional(),
    webhook_url: webhookUrl.optional(),
    webhook_payload: payloadSchema.optional(),
  })
  .openapi('StartTask');

export const handleSchema = z
  .object({
    task_id: z.string(),
    status: statusSchema,
    poll_after_ms: z.int(),
  })
  .openapi('Handle');

export const quickSchema = z
  .union([
    z.object({ status: z.literal('completed'), result: z.unknown() }),
    z.object({ status: z.literal('failed'), error: errorSchema }),
  ])
  .openapi('QuickOutcome');

const callbackSchema = z.object({
  url: z.url(),
  token: z.string(),
  expires_at: z.iso.datetime(),
  correlation_id: z.string(),
});

const questionSchema = z.object({
  key: z.string(),
  message: z.string(),
  schema: z.record(z.string(), z.unknown()).readonly(),
  for: z.literal('user').optional(),
});

export const taskSchema = z
  .object({
    task_id: z.string(),
    tool: z.string(),
    call_id: z.string().optional(),
    session_id: z.string().optional(),
    status: statusSchema,
    progress: z.object({ percent: z.int(), message: z.string() }).optional(),
    result: z.unknown().optional(),
    late_result: z.unknown().optional(),
    error: errorSchema.optional(),
    attempt: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    ended_at: z.iso.datetime().optional(),
    input_requests: z.array(questionSchema).readonly().optional(),
    callback: callbackSchema.optional(),
  })
  .openapi('Task');

export const pageSchema = z
  .object({ items: z.array(taskSchema), cursor: z.string().optional() })
  .openapi('TaskPage');

export const answerBody = z
  .strictObject({
    key: z.string().min(1).max(questionKeyMax),
    value: z.unknown().openapi({
      description: 'What fits the schema of the question, or {"action":"decline"}',
    }),
  })
  .openapi('Answer');

export const callbackBody = z
  .strictObject({
    status: z.enum(['progress', 'completed', 'failed']),
    progress: z
      .strictObject({
        percent: z.number().min(0).max(100).optional(),
        message: z.string().optional(),
      })
      .optional(),
    result: z.unknown().optional(),
    error: z
      .union([z.string(), z.strictObject({ code: z.string().optional(), message: z.string() })])
      .optional(),
  })
  .openapi('CallbackReport');

export const callbackOutcome = z
  .object({ outcome: z.enum(['applied', 'already_applied']) })
  .openapi('CallbackOutcome');

export const problemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem');

export const toolSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    long_running: z.boolean(),
    input_schema: z.record(z.string(), z.unknown()),
    output_schema: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi('Tool');

export const taskPath = z.object({ id: z.string() });
export const callbackPath = z.object({ task_id: z.string() });

/** A number written in digits. Coercion would also read '' and ' ' as zero and '0x10' as sixteen. */
const digits = (pattern: RegExp, range: z.ZodNumber) =>
  z.string().regex(pattern, 'expected a number in digits').transform(Number).pipe(range);

export const waitQuery = z.object({
  wait_s: digits(/^\d+(\.\d+)?$/, z.number().max(waitSMax))
    .default(0)
    .openapi({ type: 'number', minimum: 0, maximum: waitSMax }),
});

export const pageQuery = z.object({
  cursor: z.string().optional(),
  limit: digits(/^\d+$/, z.number().min(1).max(pageLimitMax))
    .default(pageLimitDefault)
    .openapi({ type: 'integer', minimum: 1, maximum: pageLimitMax }),
});

export const listQuery = pageQuery.extend({
  status: statusSchema.optional(),
  tool: z.string().optional(),
  session_id: z.string().optional(),
});
