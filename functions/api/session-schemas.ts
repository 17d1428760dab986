import { z } from '@hono/zod-openapi';
import { isTooDeep, tooDeep } from '../core/json-depth.ts';
import {
  debounceMsMax,
  idempotencyKeyMax,
  inputTextBytesMax,
  sessionToolsMax,
  slotsMax,
  systemTextBytesMax,
  turnsMaxMax,
} from '../core/limits.ts';
import { readModelName, wrongModelName } from '../core/model-name.ts';
import { bytesOf, wellFormed } from '../core/text.ts';
import { webhookUrl } from './webhook-schemas.ts';

/** What /v1/sessions takes, as OpenAPI shows it. */

const textUpTo = (bytesMax: number) =>
  z
    .string()
    .refine((text) => bytesOf(text) <= bytesMax, { error: `over ${bytesMax} bytes` })
    .overwrite(wellFormed);

export const policyBody = z
  .strictObject({
    pending: z.enum(['all', 'each']).optional(),
    double_text: z.enum(['enqueue', 'merge', 'interrupt', 'reject']).optional(),
    consolidation: z.enum(['auto', 'replace', 'append']).optional(),
    slots: z.int().min(1).max(slotsMax).optional(),
    max_turns: z.int().min(1).max(turnsMaxMax).optional(),
    debounce_ms: z.int().min(0).max(debounceMsMax).optional(),
    progress: z.enum(['interrupt', 'when_idle', 'silent']).optional(),
  })
  .openapi('Policy');

const inputSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => !isTooDeep(schema), { error: tooDeep.message })
  .refine(({ type = 'object' }) => type === 'object', {
    error: 'must describe an object',
    path: ['type'],
  });

export const ownToolBody = z
  .strictObject({
    name: z.string(),
    description: z.string().min(1).max(4096),
    input_schema: inputSchema,
    long_running: z.literal(true),
    results: z.int().min(1).max(100).default(1),
    progress_at: z.array(z.int().min(1).max(100)).max(20).default([]),
  })
  .openapi('OwnTool');

const modelName = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => readModelName(name) !== undefined, {
    error: ({ input }) => wrongModelName(String(input)),
  });

export const createBody = z
  .strictObject({
    system: textUpTo(systemTextBytesMax).optional(),
    model: modelName.optional().openapi({ example: 'scripted' }),
    tools: z
      .array(z.union([z.string(), ownToolBody]))
      .max(sessionToolsMax)
      .optional(),
    webhook_url: webhookUrl.optional(),
    policy: policyBody.optional(),
  })
  .openapi('CreateSession');

/** Providers refuse a text in which nothing is said. */
const saidText = textUpTo(inputTextBytesMax).refine((text) => text.trim() !== '', {
  error: 'says nothing',
});

export const inputBody = z
  .strictObject({
    text: saidText,
    input_id: z.string().min(1).max(idempotencyKeyMax).optional(),
  })
  .openapi('Input');

const errorBody = z.union([
  z.string().min(1),
  z.object({ code: z.string().max(64).optional(), message: z.string() }),
]);

const reportBody = z.strictObject({
  percent: z.number().min(0).max(100).optional(),
  message: z.string().optional(),
});

export const responseBody = z
  .strictObject({
    call_id: z.string().min(1).max(512),
    result: z.unknown().optional(),
    error: errorBody.optional(),
    progress: reportBody.optional(),
  })
  .refine(saysOneThing, { error: 'give exactly one of result, error and progress' })
  .openapi('Response');

function saysOneThing(body: { result?: unknown; error?: unknown; progress?: unknown }): boolean {
  const { result, error, progress } = body;
  return [result, error, progress].filter((said) => said !== undefined).length === 1;
}

export const sessionPath = z.object({ id: z.string() });
export const callPath = z.object({ id: z.string(), call_id: z.string() });

export const eventsQuery = z.object({
  format: z.enum(['json', 'sse']).optional(),
  after: z.string().optional(),
});
