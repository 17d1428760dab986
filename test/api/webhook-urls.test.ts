import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSessions, type Said } from './session-door.ts';
import { door, itemsOf, openReceiver, options, settle } from './webhook-receiver.ts';

let status = 200;
const { arrived, url } = await openReceiver(() => status);
beforeEach(() => {
  status = 200;
});

describe('a webhook_url', () => {
  it('has deliveries that can be listed, sent again and recovered, but no secret of its own', async () => {
    const here = door();
    status = 500;
    const since = new Date(here.house.clock.nowMs()).toISOString();
    const started = await here.start({
      tool: 'demo_wait',
      arguments: { seconds: 0 },
      webhook_url: url,
    });
    await settle(here, 8);
    const [lost] = itemsOf(await here.ask(`/v1/tasks/${String(started.json.task_id)}/deliveries`));
    const path = `/v1/webhooks/${String(lost?.endpoint_id)}`;
    expect(path).toContain('/url_');
    expect((await here.ask(path)).json).toMatchObject({ url, payload: 'thin' });
    expect(itemsOf(await here.ask(`${path}/deliveries`))).toEqual([lost]);
    expect(lost?.status).toBe('exhausted');
    status = 200;
    const recovered = await here.ask(`${path}/recover`, { json: { since } });
    expect(recovered).toMatchObject({ status: 202, json: { recovered: 1 } });
    await settle(here, 2);
    expect(itemsOf(await here.ask(`${path}/deliveries`))).toMatchObject([{ status: 'delivered' }]);
    for (const [asked, method] of [
      [`${path}/rotate`, 'POST'],
      [path, 'DELETE'],
    ] as const) {
      expect(await here.ask(asked, { method })).toMatchObject({
        status: 404,
        json: { code: 'webhook_not_found' },
      });
    }
    expect((await here.ask(path, { as: 'bob' })).status).toBe(404);
  });

  it('of a task is told of its end, signed with the secret of its owner', async () => {
    const here = door();
    const started = await here.start({
      tool: 'demo_wait',
      arguments: { seconds: 0, result: 'done' },
      webhook_url: `${url}?${'x'.repeat(1500)}`,
      webhook_payload: 'full',
    });
    expect(started.status).toBe(202);
    await settle(here, 3);
    expect(arrived.map(({ json }) => json.data)).toMatchObject([
      { task_id: started.json.task_id, status: 'completed', result: 'done' },
    ]);
    const { json } = await here.ask('/v1/webhooks/secret');
    const headers = arrived[0]?.headers as Record<string, string>;
    expect(new Webhook(String(json.secret)).verify(arrived[0]?.body ?? '', headers)).toBeTruthy();
    expect(itemsOf(await here.ask('/v1/webhooks'))).toEqual([]);
  });

  it('of a session is told of its turns and of its tasks', async () => {
    const said: readonly Said[] = [
      {
        text: 'A moment.',
        calls: [{ id: 'call_1', name: 'demo_wait', arguments: { seconds: 2 } }],
      },
      'All done.',
    ];
    const here = openSessions(said, options());
    const created = await here.ask('/v1/sessions', {
      json: { webhook_url: url, policy: { debounce_ms: 0 } },
    });
    const session = String(created.json.session_id);
    await here.ask(`/v1/sessions/${session}/input`, { json: { text: 'Please.' } });
    await settle(here, 10);
    const told = arrived.map(({ json }) => [json.type, json.data.session_id]);
    expect(told).toEqual([
      ['session.input_required', session],
      ['task.completed', session],
      ['session.turn_completed', session],
    ]);
    expect(arrived[0]?.json.data).toMatchObject({
      status: 'input_required',
      input_required_tool_ids: ['call_1'],
    });
  });

  it.each([
    'http://example.com/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user@example.com/',
    'https://example.com:22/',
    'ftp://example.com/',
    'https://no-such-name.invalid/',
    'nonsense',
  ])('%s is refused', async (wrong) => {
    const here = door();
    const answers = [
      await here.ask('/v1/webhooks', { json: { url: wrong } }),
      await here.start({ tool: 'demo_wait', arguments: { seconds: 0 }, webhook_url: wrong }),
      await here.ask('/v1/sessions', { json: { webhook_url: wrong } }),
    ];
    for (const { status: got, json } of answers) {
      expect([got, json.code]).toEqual([422, 'url_refused']);
    }
    expect(itemsOf(await here.ask('/v1/tasks'))).toEqual([]);
  });
});
