import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { healthy } from '../../functions/core/webhook.ts';
import { alice } from '../house.ts';
import type { Answer } from './door.ts';
import { door, itemsOf, openReceiver, settle } from './webhook-receiver.ts';

let status = 200;
const { arrived, url } = await openReceiver(() => status);
beforeEach(() => {
  status = 200;
});

const registered = async ({ ask }: ReturnType<typeof door>, more: object = {}) =>
  (await ask('/v1/webhooks', { json: { url, ...more } })).json;

describe('an endpoint', () => {
  it('is told of an end with a signature that its library verifies', async () => {
    const here = door();
    const made = await here.ask('/v1/webhooks', { json: { url } });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ url, payload: 'thin', status: 'active' });
    const task = await here.startWait(1);
    await settle(here);
    expect(arrived).toHaveLength(1);
    const [webhook] = arrived;
    const headers = webhook?.headers as Record<string, string>;
    const verified = new Webhook(String(made.json.secret)).verify(webhook?.body ?? '', headers);
    expect(verified).toMatchObject({
      type: 'task.completed',
      data: { task_id: task, status: 'completed', tool: 'demo_wait' },
    });
    expect(webhook?.json.data).not.toHaveProperty('result');
    expect(Buffer.byteLength(webhook?.body ?? '')).toBeLessThan(20_000);
    const path = `/v1/webhooks/${String(made.json.endpoint_id)}/deliveries`;
    const [delivery] = itemsOf(await here.ask(path));
    expect(delivery).toMatchObject({
      delivery_id: headers['webhook-id'],
      type: 'task.completed',
      task_id: task,
      status: 'delivered',
      attempts: [{ status: 200 }],
    });
    expect(itemsOf(await here.ask(`/v1/tasks/${task}/deliveries`))).toEqual([delivery]);
    expect(itemsOf(await here.ask('/v1/audit'))).toMatchObject([
      { kind: 'told', outcome: 'delivered', task_id: task, delivery_id: headers['webhook-id'] },
    ]);
  });

  it('shows its secret once, and never again', async () => {
    const here = door();
    const { endpoint_id: id, secret } = await registered(here);
    const answers = [
      await here.ask('/v1/webhooks'),
      await here.ask(`/v1/webhooks/${String(id)}`),
      await here.ask(`/v1/webhooks/${String(id)}/deliveries`),
    ];
    for (const { text } of answers) expect(text).not.toContain(String(secret));
    expect(itemsOf(answers[0] as Answer)).toMatchObject([{ endpoint_id: id }]);
  });

  it('gets what it asks for: progress, or results in full', async () => {
    const here = door();
    await registered(here, { types: ['task.progressed', 'task.completed'], payload: 'full' });
    const args = { seconds: 1, progress: 2, result: { answer: 42 } };
    await here.start({ tool: 'demo_wait', arguments: args });
    await settle(here);
    const types = arrived.map(({ json }) => json.type);
    expect(types.filter((type) => type === 'task.progressed').length).toBeGreaterThanOrEqual(2);
    const end = arrived.find(({ json }) => json.type === 'task.completed');
    expect(end?.json.data.result).toMatchObject({ answer: 42 });
  });

  it('is sent a test event, whatever it asks for', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here, { types: ['task.failed'] });
    const sent = await here.ask(`/v1/webhooks/${String(id)}/test`, { method: 'POST' });
    expect(sent).toMatchObject({ status: 202, json: { status: 'pending' } });
    await settle(here, 2);
    expect(arrived.map(({ json }) => json.type)).toEqual(['webhook.test']);
    expect(arrived[0]?.headers['webhook-id']).toBe(sent.json.delivery_id);
  });

  it('signs with two secrets after a rotation', async () => {
    const here = door();
    const { endpoint_id: id, secret } = await registered(here);
    const rotated = await here.ask(`/v1/webhooks/${String(id)}/rotate`, { method: 'POST' });
    expect(rotated.json.secret).toMatch(/^whsec_/);
    await here.ask(`/v1/webhooks/${String(id)}/test`, { method: 'POST' });
    await settle(here, 2);
    const headers = arrived[0]?.headers as Record<string, string>;
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, rotated.json.secret]) {
      expect(new Webhook(String(one)).verify(arrived[0]?.body ?? '', headers)).toBeTruthy();
    }
  });

  it('gets again what was given up on: one of them, or all since a time', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here);
    const since = new Date(here.house.clock.nowMs()).toISOString();
    status = 500;
    await here.startWait(0);
    await here.startWait(0);
    await settle(here, 8);
    const path = `/v1/webhooks/${String(id)}/deliveries`;
    const lost = itemsOf(await here.ask(path));
    expect(lost.map((one) => one.status)).toEqual(['exhausted', 'exhausted']);
    expect(arrived).toHaveLength(6);
    status = 204;
    const one = String(lost[0]?.delivery_id);
    const again = await here.ask(`/v1/webhooks/deliveries/${one}/redeliver`, { method: 'POST' });
    expect(again).toMatchObject({ status: 202, json: { delivery_id: one, status: 'pending' } });
    await settle(here, 2);
    expect(arrived.at(-1)?.headers['webhook-id']).toBe(one);
    const recovered = await here.ask(`/v1/webhooks/${String(id)}/recover`, { json: { since } });
    expect(recovered).toMatchObject({ status: 202, json: { recovered: 1 } });
    await settle(here, 2);
    expect(itemsOf(await here.ask(path)).map((item) => item.status)).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(arrived).toHaveLength(8);
  });

  it('that is disabled is sent nothing on request until it is recovered', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here);
    await here.startWait(0);
    await settle(here);
    const path = `/v1/webhooks/${String(id)}`;
    const [sent] = itemsOf(await here.ask(`${path}/deliveries`));
    const { webhooks } = here.house.ports;
    const key = { owner: alice, endpointId: String(id) };
    const health = (await webhooks.endpoint(key))?.health ?? healthy;
    await webhooks.setHealth(key, health, { ...health, state: 'disabled' });
    const again = `/v1/webhooks/deliveries/${String(sent?.delivery_id)}/redeliver`;
    for (const asked of [again, `${path}/test`]) {
      const refused = { status: 409, json: { code: 'endpoint_disabled' } };
      expect(await here.ask(asked, { method: 'POST' })).toMatchObject(refused);
    }
    await here.ask(`${path}/recover`, { json: { since: new Date().toISOString() } });
    expect((await here.ask(again, { method: 'POST' })).status).toBe(202);
  });

  it('that was removed is told nothing', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here);
    await expect(here.ask(`/v1/webhooks/${String(id)}`, { method: 'DELETE' })).rejects.toThrow(
      /JSON/,
    );
    expect(itemsOf(await here.ask('/v1/webhooks'))).toEqual([]);
    await here.startWait(0);
    await settle(here, 3);
    expect(arrived).toEqual([]);
  });

  it('of another owner reads like one that nobody has', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here);
    await here.ask(`/v1/webhooks/${String(id)}/test`, { method: 'POST' });
    await settle(here, 2);
    const delivery = String(arrived[0]?.headers['webhook-id']);
    const nobody = `ep_${'x'.repeat(16)}`;
    const asks = (endpoint: string, sent: string): [string, object][] => [
      [`/v1/webhooks/${endpoint}`, {}],
      [`/v1/webhooks/${endpoint}`, { method: 'DELETE' }],
      [`/v1/webhooks/${endpoint}/rotate`, { method: 'POST' }],
      [`/v1/webhooks/${endpoint}/deliveries`, {}],
      [`/v1/webhooks/${endpoint}/test`, { method: 'POST' }],
      [`/v1/webhooks/${endpoint}/recover`, { json: { since: new Date(0).toISOString() } }],
      [`/v1/webhooks/deliveries/${sent}/redeliver`, { method: 'POST' }],
    ];
    const foreign = asks(String(id), delivery);
    const unknown = asks(nobody, `msg_${'x'.repeat(32)}`);
    const odd = asks('no%20id', 'no%20id');
    for (const [n, [path, asking]] of foreign.entries()) {
      const theirs = await here.ask(path, { ...asking, as: 'bob' });
      const [unknownPath = '', unknownAsking] = unknown[n] ?? [];
      const [oddPath = '', oddAsking] = odd[n] ?? [];
      const nobodys = await here.ask(unknownPath, { ...unknownAsking, as: 'bob' });
      expect([path, theirs.text]).toEqual([path, nobodys.text]);
      expect((await here.ask(oddPath, { ...oddAsking, as: 'bob' })).text).toBe(theirs.text);
      expect(theirs.json.code).toBe(n === 6 ? 'delivery_not_found' : 'webhook_not_found');
      expect(theirs.status).toBe(404);
    }
    expect(itemsOf(await here.ask('/v1/webhooks', { as: 'bob' }))).toEqual([]);
    expect(itemsOf(await here.ask('/v1/audit', { as: 'bob' }))).toEqual([]);
    const secrets = await Promise.all([
      here.ask('/v1/webhooks/secret'),
      here.ask('/v1/webhooks/secret'),
      here.ask('/v1/webhooks/secret', { as: 'bob' }),
    ]);
    expect(secrets[0].text).toBe(secrets[1].text);
    expect(secrets[0].text).not.toBe(secrets[2].text);
  });
});

describe('a wrong request', () => {
  it.each([
    [{}, 400],
    [{ url: 'https://example.com/', types: [] }, 400],
    [{ url: 'https://example.com/', types: ['task.exploded'] }, 400],
    [{ url: 'https://example.com/', payload: 'fat' }, 400],
    [{ url: 'https://example.com/', more: 1 }, 400],
  ])('%j is refused', async (json, expected) => {
    expect((await door().ask('/v1/webhooks', { json })).status).toBe(expected);
  });

  it('of a page that was never given out is refused', async () => {
    const here = door();
    const { endpoint_id: id } = await registered(here);
    for (const path of [`/v1/webhooks/${String(id)}/deliveries`, '/v1/audit']) {
      expect((await here.ask(`${path}?cursor=elsewhere`)).status).toBe(400);
    }
  });

  it('for a twenty-first endpoint is refused', async () => {
    const here = door();
    for (let n = 0; n < 20; n += 1) await registered(here);
    expect((await here.ask('/v1/webhooks', { json: { url } })).status).toBe(400);
  });
});
