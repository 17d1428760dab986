import { createRoute } from '@hono/zod-openapi';
import { body, json, refused } from './routes.ts';
import { pageQuery, taskPath } from './schemas.ts';
import {
  auditPageSchema,
  deliveryPageSchema,
  endpointBody,
  endpointSchema,
  endpointsSchema,
  ledgerSchema,
  newEndpointSchema,
  recoverBody,
  recoveredSchema,
  rotatedSchema,
  secretSchema,
  sentSchema,
  webhookPath,
} from './webhook-schemas.ts';

export const registerRoute = createRoute({
  method: 'post',
  path: '/v1/webhooks',
  request: { body: body(endpointBody) },
  responses: {
    201: json(newEndpointSchema, 'Registered; the secret is shown this once'),
    ...refused,
  },
});

export const endpointsRoute = createRoute({
  method: 'get',
  path: '/v1/webhooks',
  responses: { 200: json(endpointsSchema, 'Your endpoints'), ...refused },
});

export const ownerSecretRoute = createRoute({
  method: 'get',
  path: '/v1/webhooks/secret',
  responses: {
    200: json(secretSchema, 'What signs webhooks to a webhook_url without an endpoint'),
    ...refused,
  },
});

export const endpointRoute = createRoute({
  method: 'get',
  path: '/v1/webhooks/{id}',
  request: { params: webhookPath },
  responses: { 200: json(endpointSchema, 'The endpoint, without its secret'), ...refused },
});

export const removeRoute = createRoute({
  method: 'delete',
  path: '/v1/webhooks/{id}',
  request: { params: webhookPath },
  responses: { 204: { description: 'Gone; nothing more is sent there' }, ...refused },
});

export const rotateRoute = createRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/rotate',
  request: { params: webhookPath },
  responses: {
    200: json(rotatedSchema, 'The new secret; the old one signs as well for a day'),
    ...refused,
  },
});

export const deliveriesRoute = createRoute({
  method: 'get',
  path: '/v1/webhooks/{id}/deliveries',
  request: { params: webhookPath, query: pageQuery },
  responses: { 200: json(deliveryPageSchema, 'Deliveries, newest first'), ...refused },
});

export const testRoute = createRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/test',
  request: { params: webhookPath },
  responses: { 202: json(sentSchema, 'A webhook of type webhook.test is on its way'), ...refused },
});

export const recoverRoute = createRoute({
  method: 'post',
  path: '/v1/webhooks/{id}/recover',
  request: { params: webhookPath, body: body(recoverBody) },
  responses: {
    202: json(recoveredSchema, 'So many that were given up on are sent again'),
    ...refused,
  },
});

export const redeliverRoute = createRoute({
  method: 'post',
  path: '/v1/webhooks/deliveries/{id}/redeliver',
  request: { params: webhookPath },
  responses: { 202: json(sentSchema, 'On its way again, under the same id'), ...refused },
});

export const taskDeliveriesRoute = createRoute({
  method: 'get',
  path: '/v1/tasks/{id}/deliveries',
  request: { params: taskPath },
  responses: { 200: json(ledgerSchema, 'What was told of its end, and to whom'), ...refused },
});

export const ownerAuditRoute = createRoute({
  method: 'get',
  path: '/v1/audit',
  request: { query: pageQuery },
  responses: {
    200: json(auditPageSchema, 'Who was told, given up on or refused; newest first'),
    ...refused,
  },
});
