import { describe, expect, it } from 'vitest';
import { meetAgent, meetDoor } from './agent.ts';

const ann = { name: 'Ann', email: 'ann@example.com' };
const withId = { id: expect.stringMatching(/^user_/), ...ann };

describe('pattern 1, a quick tool: agent → tool → result', () => {
  it('answers over MCP within the call, and leaves no task and no message behind', async (test) => {
    const { call, house } = await meetAgent(test);
    const created = await call('create_user', ann);
    expect(created).toEqual(withId);
    expect(await call('read_user', { id: created.id })).toEqual(created);
    expect(await call('list_users')).toEqual({ users: [created] });
    expect(await call('list_tasks')).toEqual({ items: [] });
    expect(house.verdicts).toEqual([]);
  });

  it('answers over HTTP within the request', async () => {
    const { start, ask, run } = meetDoor();
    const { status, json } = await start({ tool: 'create_user', arguments: ann });
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'completed', result: withId });
    expect(await run('list_users')).toEqual({ users: [json.result] });
    expect((await ask('/v1/tasks')).json).toEqual({ items: [] });
  });

  it('does not wait for a slow task that runs meanwhile', async () => {
    const { startWait, run, read, house } = meetDoor();
    const slow = await startWait(60);
    await house.runFor(1000);
    const beganMs = house.clock.nowMs();
    expect(await run('create_user', ann)).toEqual(withId);
    expect(house.clock.nowMs()).toBe(beganMs);
    expect(await read(slow)).toMatchObject({ status: 'working' });
  });
});
