import { z } from '@hono/zod-openapi';
import { webhookUrlMax } from '../core/webhook-limits.ts';
import { webhookTypes, webhookTypesDefault } from '../core/webhook.ts';

/** The wire of /v1/webhooks, as OpenAPI shows it. */

export const payloadSchema = z.enum(['thin', 'full']);
/** What is wrong with a URL is said by the guard, with its own code. */
export const webhookUrl = z
  .string()
  .min(1)
  .max(webhookUrlMax * 4);

export const endpointBody = z
  .strictObject({
    url: webhookUrl.openapi({ example: 'https://example.com/webhooks' }),
    types: z
      .array(z.enum(webhookTypes))
      .min(1)
      .default([...webhookTypesDefault]),
    payload: payloadSchema.default('thin'),
  })
  .openapi('NewEndpoint');

export const recoverBody = z.strictObject({ since: z.iso.datetime() }).openapi('Recover');

const endpointFields = {
  endpoint_id: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  payload: payloadSchema,
  status: z.enum(['active', 'paused', 'disabled']),
  created_at: z.iso.datetime(),
  failing_since: z.iso.datetime().optional(),
  failures: z.int().optional(),
};

export const endpointSchema = z.object(endpointFields).openapi('Endpoint');
export const newEndpointSchema = z
  .object({ ...endpointFields, secret: z.string() })
  .openapi('EndpointWithSecret');
export const endpointsSchema = z.object({ items: z.array(endpointSchema) }).openapi('Endpoints');
export const rotatedSchema = z
  .object({ endpoint_id: z.string(), secret: z.string() })
  .openapi('RotatedSecret');
export const secretSchema = z.object({ secret: z.string() }).openapi('OwnerSecret');

const deliverySchema = z
  .object({
    delivery_id: z.string(),
    endpoint_id: z.string(),
    type: z.string(),
    task_id: z.string().optional(),
    session_id: z.string().optional(),
    status: z.enum(['pending', 'delivered', 'exhausted']),
    attempts: z.array(
      z.object({
        at: z.iso.datetime(),
        status: z.int().optional(),
        error: z.string().optional(),
        ms: z.number(),
      }),
    ),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().optional(),
  })
  .openapi('Delivery');

export const deliveryPageSchema = z
  .object({ items: z.array(deliverySchema), cursor: z.string().optional() })
  .openapi('DeliveryPage');
const toldSchema = z.object({
  to: z.enum(['inbox', 'webhook', 'mcp']),
  status: z.enum(['pending', 'delivered', 'exhausted']),
  at: z.iso.datetime().optional(),
  session_id: z.string().optional(),
  turn: z.int().optional(),
  endpoint_id: z.string().optional(),
  delivery_id: z.string().optional(),
});

export const ledgerSchema = z
  .object({
    items: z.array(deliverySchema),
    told: z.array(toldSchema).openapi({ description: 'To whom its end was told, and when' }),
  })
  .openapi('TaskLedger');
export const sentSchema = z
  .object({ delivery_id: z.string(), status: z.literal('pending') })
  .openapi('SentDelivery');
export const recoveredSchema = z.object({ recovered: z.int() }).openapi('Recovered');

const auditRowSchema = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(['told', 'endpoint', 'refused', 'notified', 'late', 'ci']),
    outcome: z.string().optional(),
    type: z.string().optional(),
    delivery_id: z.string().optional(),
    endpoint_id: z.string().optional(),
    attempts: z.int().optional(),
    task_id: z.string().optional(),
    session_id: z.string().optional(),
    state: z.string().optional(),
    why: z.string().optional(),
    what: z.string().optional(),
    code: z.string().optional(),
  })
  .openapi('AuditRow');

export const auditPageSchema = z
  .object({
    items: z.array(auditRowSchema),
    cursor: z.string().optional(),
  })
  .openapi('AuditPage');

export const webhookPath = z.object({ id: z.string() });
