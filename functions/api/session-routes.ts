import { createRoute, z } from '@hono/zod-openapi';
import { body, json, refused } from './routes.ts';
import { pageQuery, taskSchema } from './schemas.ts';
import {
  callPath,
  createBody,
  eventsQuery,
  inputBody,
  responseBody,
  sessionPath,
} from './session-schemas.ts';
import {
  answeredSchema,
  createdSchema,
  eventsSchema,
  historySchema,
  sessionPageSchema,
  sessionSchema,
  takenSchema,
} from './session-shapes.ts';

const lines = z.string().openapi({ description: 'One JSON object a line' });

export const createSessionRoute = createRoute({
  method: 'post',
  path: '/v1/sessions',
  request: { body: body(createBody) },
  responses: { 201: json(createdSchema, 'A new session'), ...refused },
});

export const listSessionsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions',
  request: { query: pageQuery },
  responses: { 200: json(sessionPageSchema, 'Your sessions, newest first'), ...refused },
});

export const getSessionRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}',
  request: { params: sessionPath },
  responses: { 200: json(sessionSchema, 'The session as it is now'), ...refused },
});

export const inputRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/input',
  request: { params: sessionPath, body: body(inputBody) },
  responses: { 202: json(takenSchema, 'The input was taken'), ...refused },
});

export const respondRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/responses',
  request: { params: sessionPath, body: body(responseBody) },
  responses: {
    200: json(answeredSchema, 'It was so already'),
    202: json(answeredSchema, 'The response was taken'),
    ...refused,
  },
});

export const cancelCallRoute = createRoute({
  method: 'post',
  path: '/v1/sessions/{id}/calls/{call_id}/cancel',
  request: { params: callPath },
  responses: { 200: json(taskSchema, "The call's task, cancelled"), ...refused },
});

export const historyRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/history',
  request: { params: sessionPath },
  responses: {
    200: json(historySchema, 'As last sent to the model, followed by the reply to it'),
    ...refused,
  },
});

export const eventsRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/events',
  request: { params: sessionPath, query: eventsQuery },
  responses: {
    200: {
      description: 'Events as they happen; with format=json those that are known now',
      content: {
        'application/json': { schema: eventsSchema },
        'text/event-stream': { schema: z.string() },
      },
    },
    ...refused,
  },
});

export const auditRoute = createRoute({
  method: 'get',
  path: '/v1/sessions/{id}/audit',
  request: { params: sessionPath },
  responses: {
    200: { description: 'One row a turn', content: { 'application/jsonl': { schema: lines } } },
    ...refused,
  },
});
