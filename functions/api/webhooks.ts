import type { OpenAPIHono } from '@hono/zod-openapi';
import { isAuditPlace } from '../core/audit.ts';
import { asTaskId, type Owner } from '../core/ids.ts';
import { readDeliveryCursor } from '../core/webhook-delivery.ts';
import type { EndpointKey } from '../core/webhook.ts';
import {
  findReceiver,
  registerEndpoint,
  removeEndpoint,
  rotateSecret,
  sendTest,
} from '../tasks/endpoints.ts';
import { readLedger } from '../sessions/read-ledger.ts';
import { findTask } from '../tasks/find-task.ts';
import { recover, redeliver } from '../tasks/redeliver.ts';
import { deliveriesOf, viewAudit, viewDelivery, viewEndpoint } from '../tasks/view-webhook.ts';
import { failureResponse } from './failure-response.ts';
import { wrongCursor, type ApiEnv, type ApiNeeds } from './rest.ts';
import {
  deliveriesRoute,
  endpointRoute,
  endpointsRoute,
  ownerAuditRoute,
  ownerSecretRoute,
  recoverRoute,
  redeliverRoute,
  registerRoute,
  removeRoute,
  rotateRoute,
  taskDeliveriesRoute,
  testRoute,
} from './webhook-routes.ts';

/** /v1/webhooks: receivers, what was sent to them, and what became of it. */
export function addWebhookRoutes(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  addEndpoints(app, ports);
  addEndpointChanges(app, ports);
  addDeliveries(app, ports);
  addSendings(app, ports);
}

const keyFor = (owner: Owner, endpointId: string): EndpointKey => ({ owner, endpointId });

function addEndpoints(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(registerRoute, async (c) => {
    const wanted = { owner: c.get('owner'), ...c.req.valid('json') };
    const made = await registerEndpoint(ports, wanted);
    if (!made.ok) return failureResponse(made.failure);
    const { endpoint, secret } = made.value;
    return c.json({ ...viewEndpoint(endpoint), secret }, 201);
  });

  app.openapi(endpointsRoute, async (c) => {
    const found = await ports.webhooks.endpoints(c.get('owner'), ports.clock.nowMs());
    return c.json({ items: found.map(viewEndpoint) }, 200);
  });

  app.openapi(ownerSecretRoute, async (c) => {
    const secret = await ports.webhooks.ownerSecret(c.get('owner'), ports.newWebhookSecret());
    return c.json({ secret }, 200);
  });

  app.openapi(endpointRoute, async (c) => {
    const found = await findReceiver(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!found.ok) return failureResponse(found.failure);
    return c.json(viewEndpoint(found.value), 200);
  });
}

function addEndpointChanges(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(removeRoute, async (c) => {
    const removed = await removeEndpoint(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    return removed.ok ? c.body(null, 204) : failureResponse(removed.failure);
  });

  app.openapi(rotateRoute, async (c) => {
    const rotated = await rotateSecret(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!rotated.ok) return failureResponse(rotated.failure);
    const { endpoint, secret } = rotated.value;
    return c.json({ endpoint_id: endpoint.endpointId, secret }, 200);
  });
}

function addDeliveries(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(deliveriesRoute, async (c) => {
    const found = await findReceiver(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!found.ok) return failureResponse(found.failure);
    const page = c.req.valid('query');
    if (page.cursor !== undefined && !readDeliveryCursor(page.cursor)) {
      return failureResponse(wrongCursor);
    }
    const { items, cursor } = await ports.webhooks.deliveries(found.value, page);
    return c.json({ items: items.map(viewDelivery), ...(cursor && { cursor }) }, 200);
  });

  app.openapi(taskDeliveriesRoute, async (c) => {
    const taskId = asTaskId(c.req.valid('param').id);
    const found = await findTask(ports, { owner: c.get('owner'), taskId });
    if (!found.ok) return failureResponse(found.failure);
    const deliveries = await deliveriesOf(ports, found.value);
    const told = await readLedger(ports, found.value, deliveries);
    return c.json({ items: deliveries.map(viewDelivery), told: [...told] }, 200);
  });

  app.openapi(ownerAuditRoute, async (c) => {
    const page = c.req.valid('query');
    if (page.cursor !== undefined && !isAuditPlace(page.cursor))
      return failureResponse(wrongCursor);
    const { items, cursor } = await ports.audit.list(c.get('owner'), page);
    return c.json({ items: items.map(viewAudit), ...(cursor && { cursor }) }, 200);
  });
}

function addSendings(app: OpenAPIHono<ApiEnv>, ports: ApiNeeds): void {
  app.openapi(testRoute, async (c) => {
    const sent = await sendTest(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!sent.ok) return failureResponse(sent.failure);
    return c.json({ delivery_id: sent.value, status: 'pending' as const }, 202);
  });

  app.openapi(recoverRoute, async (c) => {
    const found = await findReceiver(ports, keyFor(c.get('owner'), c.req.valid('param').id));
    if (!found.ok) return failureResponse(found.failure);
    const sinceMs = Date.parse(c.req.valid('json').since);
    return c.json({ recovered: await recover(ports, found.value, sinceMs) }, 202);
  });

  app.openapi(redeliverRoute, async (c) => {
    const deliveryId = c.req.valid('param').id;
    const sent = await redeliver(ports, { owner: c.get('owner'), deliveryId });
    if (!sent.ok) return failureResponse(sent.failure);
    return c.json({ delivery_id: sent.value.deliveryId, status: 'pending' as const }, 202);
  });
}
