import { describe, expect, it } from 'vitest';
import { answered, receiver } from '../notify/receiver.ts';
import { declaring } from '../mcp/wire.ts';
import { call, openSessions, ownTool } from './session-door.ts';
import { openDoor } from './door.ts';

/** What was told of a task's end, to whom and when. */

describe('the ledger of a task', () => {
  it('names the turn that took its end out of the inbox, and the receiver of its webhook', async () => {
    const post = receiver(() => answered(200));
    const said = [{ calls: [call('c1', 'mine')] }, 'Waiting.', 'Done.', 'More.', 'And more.'];
    const { ask, create, settle } = openSessions(said, { outbound: post });
    await ask('/v1/webhooks', { json: { url: 'https://receiver.example/' } });
    const session = await create({ tools: [ownTool('mine')] });
    await session.say('Go');
    await session.say('And meanwhile?');
    const [pending] = (await session.view()).pending as { task_id: string }[];
    const path = `/v1/tasks/${pending?.task_id}/deliveries`;
    expect((await ask(path)).json).toEqual({ items: [], told: [] });
    await session.respond({ call_id: 'c1', result: 1 });
    expect((await ask(path)).json.told).toMatchObject([{ to: 'inbox', status: 'pending' }]);
    await settle();
    for (let n = 0; n < 5; n += 1) {
      await session.say('And now?');
      await settle();
    }
    const { json } = await ask(path);
    const [delivery] = json.items as { delivery_id: string }[];
    expect(json.told).toEqual([
      {
        to: 'inbox',
        session_id: session.id,
        status: 'delivered',
        turn: 3,
        at: expect.any(String),
      },
      {
        to: 'webhook',
        endpoint_id: expect.any(String),
        delivery_id: delivery?.delivery_id,
        status: 'delivered',
        at: expect.any(String),
      },
    ]);
  });

  it('keeps what was told to a receiver that is removed, and what a disabled one missed', async () => {
    let status = 200;
    const { ask, house, startWait } = openDoor({ outbound: receiver(() => answered(status)) });
    const { json } = await ask('/v1/webhooks', { json: { url: 'https://receiver.example/' } });
    const path = `/v1/webhooks/${String(json.endpoint_id)}`;
    const told = async (id: string) => (await ask(`/v1/tasks/${id}/deliveries`)).json.told;
    const heard = await startWait(0);
    await house.runFor(2000);
    status = 410;
    const gone = await startWait(0);
    await house.runFor(2000);
    const after = await startWait(0);
    await house.runFor(2000);
    expect(await told(heard)).toMatchObject([{ to: 'webhook', status: 'delivered' }]);
    expect(await told(after)).toMatchObject([{ to: 'webhook', status: 'exhausted' }]);
    status = 200;
    const since = '2026-01-01T00:00:00Z';
    const recovered = await ask(`${path}/recover`, { json: { since } });
    expect(recovered.json).toEqual({ recovered: 2 });
    await house.runFor(5000);
    await ask(path, { method: 'DELETE' }).catch(() => undefined);
    for (const id of [heard, gone, after]) {
      expect(await told(id)).toMatchObject([{ to: 'webhook', status: 'delivered' }]);
    }
  });

  it('names the clients that listened, and nobody where none did', async () => {
    const { house, ask, startWait } = openDoor();
    const [one, other] = [await startWait(1), await startWait(1)];
    const version = '2026-07-28';
    const method = 'subscriptions/listen';
    const listening = ask('/mcp', {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
      },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          notifications: { taskIds: [one] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': declaring,
          },
        },
      },
    }).catch(() => undefined);
    await house.runFor(3000);
    await listening;
    const told = async (id: string) => (await ask(`/v1/tasks/${id}/deliveries`)).json.told;
    expect(await told(one)).toEqual([{ to: 'mcp', status: 'delivered', at: expect.any(String) }]);
    expect(await told(other)).toEqual([]);
  });
});
