import { createRoute, z } from '@hono/zod-openapi';
import {
  answerBody,
  callbackBody,
  callbackOutcome,
  callbackPath,
  handleSchema,
  listQuery,
  pageSchema,
  problemSchema,
  quickSchema,
  startBody,
  taskPath,
  taskSchema,
  toolSchema,
  waitQuery,
} from './schemas.ts';

export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
export const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
/** Every route may refuse, always in the same form. */
const refusal = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: problemSchema } },
});
export const refused = {
  400: refusal('The request is not valid'),
  401: refusal('Nobody we know'),
  403: refusal('Not from there, or not with this token'),
  404: refusal('Not there, or not yours'),
  409: refusal('It was otherwise before'),
  410: refusal('Too late'),
  413: refusal('Too large'),
  422: refusal('The arguments do not fit the tool'),
  500: refusal('Our fault'),
};

export const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  security: [],
  responses: { 200: json(z.object({ status: z.literal('ok'), version: z.string() }), 'Alive') },
});

export const toolsRoute = createRoute({
  method: 'get',
  path: '/v1/tools',
  responses: { 200: json(z.object({ items: z.array(toolSchema) }), 'The tools'), ...refused },
});

export const startRoute = createRoute({
  method: 'post',
  path: '/v1/tasks',
  request: { body: body(startBody) },
  responses: {
    200: json(quickSchema, 'A quick tool has run'),
    202: json(handleSchema, 'A long-running tool was started'),
    ...refused,
  },
});

export const listRoute = createRoute({
  method: 'get',
  path: '/v1/tasks',
  request: { query: listQuery },
  responses: { 200: json(pageSchema, 'Your tasks, newest first'), ...refused },
});

export const getRoute = createRoute({
  method: 'get',
  path: '/v1/tasks/{id}',
  request: { params: taskPath, query: waitQuery },
  responses: { 200: json(taskSchema, 'The task as it is now'), ...refused },
});

export const cancelRoute = createRoute({
  method: 'post',
  path: '/v1/tasks/{id}/cancel',
  request: { params: taskPath },
  responses: { 200: json(taskSchema, 'The task, cancelled'), ...refused },
});

export const answerRoute = createRoute({
  method: 'post',
  path: '/v1/tasks/{id}/input',
  request: { params: taskPath, body: body(answerBody) },
  responses: { 202: json(handleSchema, 'The answer was taken'), ...refused },
});

export const callbackRoute = createRoute({
  method: 'post',
  path: '/callbacks/{task_id}',
  request: { params: callbackPath, body: body(callbackBody) },
  responses: {
    200: json(callbackOutcome, 'The same end was reported before'),
    202: json(callbackOutcome, 'The report was taken'),
    ...refused,
  },
});
