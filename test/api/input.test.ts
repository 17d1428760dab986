import { describe, expect, it } from 'vitest';
import { openDoor } from './door.ts';

const ask = { key: 'go', message: 'Shall it?' };

async function asking(args: Record<string, unknown> = {}) {
  const door = openDoor();
  const { json } = await door.start({
    tool: 'demo_wait',
    arguments: { seconds: 1, ask, ...args },
  });
  const id = String(json.task_id);
  await door.house.pump();
  const answer = (body: unknown, as: 'alice' | 'bob' = 'alice') =>
    door.ask(`/v1/tasks/${id}/input`, { json: body, as });
  const read = async () => (await door.ask(`/v1/tasks/${id}`)).json;
  return { ...door, id, answer, read };
}

describe('POST /v1/tasks/:id/input', () => {
  it('answers what a task shows that it asks, and the task goes on', async () => {
    const { house, id, answer, read } = await asking();
    const schema = {};
    expect(await read()).toMatchObject({
      status: 'input_required',
      input_requests: [{ ...ask, schema }],
    });
    const { status, json } = await answer({ key: 'go', value: 'yes' });
    expect(status).toBe(202);
    expect(json).toEqual({ task_id: id, status: 'working', poll_after_ms: 1000 });
    expect(await read()).not.toHaveProperty('input_requests');
    await house.runFor(3000);
    expect(await read()).toMatchObject({
      status: 'completed',
      result: { waited_s: 1, answer: 'yes' },
    });
  });

  it('says the same to the same answer, and refuses another', async () => {
    const { answer } = await asking();
    const first = await answer({ key: 'go', value: { a: 1, b: 2 } });
    const again = await answer({ key: 'go', value: { b: 2, a: 1 } });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    const other = await answer({ key: 'go', value: false });
    expect([other.status, other.json.code]).toEqual([409, 'response_conflict']);
  });

  it('refuses what is not asked, not valid, not there and over', async () => {
    const { answer, cancel, id, ask: request } = await asking();
    const codes = async (body: unknown, as: 'alice' | 'bob' = 'alice') => {
      const { status, json } = await answer(body, as);
      return [status, json.code];
    };
    expect(await codes({ key: 'other', value: 1 })).toEqual([409, 'response_conflict']);
    expect(await codes({ value: 1 })).toEqual([400, 'invalid_request']);
    expect(await codes({ key: 'k'.repeat(513), value: 1 })).toEqual([400, 'invalid_request']);
    const foreign = await answer({ key: 'go', value: 1 }, 'bob');
    const unknown = await request('/v1/tasks/task_none/input', { json: { key: 'go', value: 1 } });
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    await cancel(id);
    expect(await codes({ key: 'go', value: 1 })).toEqual([409, 'task_ended']);
  });

  it('a wait ends when the task asks', async () => {
    const { ask: request, id } = await asking();
    const { json } = await request(`/v1/tasks/${id}?wait_s=25`);
    expect(json.status).toBe('input_required');
  });
});

describe('delete_all_users', () => {
  const users = ['Ada', 'Bo', 'Cy'].map((name) => ({ name, email: `${name}@example.com` }));

  async function deleting() {
    const door = openDoor();
    for (const user of users) await door.start({ tool: 'create_user', arguments: user });
    await door.start({ tool: 'create_user', arguments: users[0] }, 'bob');
    const { json } = await door.start({ tool: 'delete_all_users' });
    await door.house.pump();
    const count = async (as: 'alice' | 'bob' = 'alice') => {
      const listed = await door.start({ tool: 'list_users' }, as);
      return (listed.json.result as { users: unknown[] }).users.length;
    };
    const id = String(json.task_id);
    const answer = async (value: unknown) => {
      const { status } = await door.ask(`/v1/tasks/${id}/input`, {
        json: { key: 'approve', value },
      });
      await door.house.pump();
      return status;
    };
    const read = async () => (await door.ask(`/v1/tasks/${id}`)).json;
    return { ...door, count, answer, read };
  }

  it('does nothing before it is approved, and its work once after', async () => {
    const { answer, count, read } = await deleting();
    expect([await count(), (await read()).status]).toEqual([3, 'input_required']);
    expect(await answer({ approve: 'yes' })).toBe(422);
    expect(await count()).toBe(3);
    expect(await answer({ approve: true })).toBe(202);
    expect((await read()).result).toEqual({ status: 'deleted', deleted: 3 });
    expect([await count(), await count('bob')]).toEqual([0, 1]);
    expect(await answer({ approve: true })).toBe(202);
    expect(await answer({ approve: false })).toBe(409);
  });

  it.each([{ approve: false }, { action: 'decline' }, { action: 'cancel' }])(
    'does nothing after %j',
    async (value) => {
      const { answer, count, read } = await deleting();
      expect(await answer(value)).toBe(202);
      expect((await read()).result).toEqual({ status: 'denied', deleted: 0 });
      expect(await count()).toBe(3);
    },
  );
});
