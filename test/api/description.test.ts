import { describe, expect, it } from 'vitest';
import { waitingGuidance } from '../../functions/core/guidance.ts';
import { createApp } from '../../functions/api/app.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { openDoor, readAnswer } from './door.ts';

const namesInOrder = [
  'create_user',
  'read_user',
  'update_user',
  'delete_user',
  'list_users',
  'batch_create_users_async',
  'install_package',
  'deploy_to_staging',
  'delete_all_users',
  'demo_wait',
  'start_task',
  'wait_for_task',
  'get_task',
  'answer_task',
  'cancel_task',
  'list_tasks',
  'read_result',
];

interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly long_running: boolean;
  readonly input_schema: Record<string, unknown>;
  readonly output_schema?: Record<string, unknown>;
}

describe('GET /health', () => {
  it('says ok and a version', async () => {
    const { ask } = openDoor();
    const { status, json } = await ask('/health');
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });
});

describe('GET /v1/tools', () => {
  const shown = async () => (await openDoor().ask('/v1/tools')).json.items as ShownTool[];

  it('lists every tool in a fixed order', async () => {
    expect((await shown()).map(({ name }) => name)).toEqual(namesInOrder);
  });

  it('says which tools are long-running, and only those carry the guidance', async () => {
    for (const tool of await shown()) {
      expect(tool.description.endsWith(waitingGuidance)).toBe(tool.long_running);
    }
    const long = (await shown()).filter((tool) => tool.long_running);
    expect(long.map(({ name }) => name)).toEqual([
      'batch_create_users_async',
      'install_package',
      'deploy_to_staging',
      'delete_all_users',
      'demo_wait',
    ]);
  });

  it('shows what goes in and what comes out', async () => {
    const batch = (await shown()).find(({ name }) => name === 'batch_create_users_async');
    expect(batch?.input_schema).toMatchObject({
      type: 'object',
      required: ['users_data'],
      properties: { users_data: { type: 'array' }, delay: { type: 'number', default: 0.5 } },
    });
    expect(Object.keys(batch?.output_schema?.properties ?? {})).toEqual([
      'status',
      'total_requested',
      'successful',
      'failed',
      'created_users',
      'duration_seconds',
      'message',
    ]);
  });
});

describe('GET /openapi.json', () => {
  it('describes every route of the API', async () => {
    const { status, json } = await openDoor().ask('/openapi.json');
    expect(status).toBe(200);
    expect(json).toMatchObject({ openapi: '3.1.0', info: { title: 'Boomerang' } });
    const routes = Object.entries(json.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      'delete /v1/webhooks/{id}',
      'get /health',
      'get /v1/audit',
      'get /v1/sessions',
      'get /v1/sessions/{id}',
      'get /v1/sessions/{id}/audit',
      'get /v1/sessions/{id}/events',
      'get /v1/sessions/{id}/history',
      'get /v1/tasks',
      'get /v1/tasks/{id}',
      'get /v1/tasks/{id}/deliveries',
      'get /v1/tools',
      'get /v1/webhooks',
      'get /v1/webhooks/secret',
      'get /v1/webhooks/{id}',
      'get /v1/webhooks/{id}/deliveries',
      'post /callbacks/ci/{provider}',
      'post /callbacks/{task_id}',
      'post /v1/sessions',
      'post /v1/sessions/{id}/calls/{call_id}/cancel',
      'post /v1/sessions/{id}/input',
      'post /v1/sessions/{id}/responses',
      'post /v1/tasks',
      'post /v1/tasks/{id}/cancel',
      'post /v1/tasks/{id}/input',
      'post /v1/webhooks',
      'post /v1/webhooks/deliveries/{id}/redeliver',
      'post /v1/webhooks/{id}/recover',
      'post /v1/webhooks/{id}/rotate',
      'post /v1/webhooks/{id}/test',
    ]);
  });

  it('says that a bearer is needed, but not on one’s own machine nor for a look at its health', async () => {
    const { ask, house } = openDoor();
    const { json } = await ask('/openapi.json');
    expect(json).toMatchObject({
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      paths: { '/health': { get: { security: [] } } },
    });
    const local = createApp(house.ports, loopbackAuth, { loopbackOnly: true });
    const headers = { host: '127.0.0.1:3000' };
    const shown = await readAnswer(
      await local.request('http://127.0.0.1:3000/openapi.json', { headers }),
    );
    expect(shown.json.security).toEqual([{}, { bearer: [] }]);
  });

  it('refers only to schemas it contains', async () => {
    const { text, json } = await openDoor().ask('/openapi.json');
    const { schemas } = json.components as { schemas: Record<string, unknown> };
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(schemas).toHaveProperty(String(name));
  });
});
