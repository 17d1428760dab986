import { describe, expect, it } from 'vitest';
import type { ModelReply, ModelRequest } from '../../functions/core/model.ts';
import { openSessions } from '../api/session-door.ts';
import { testModel } from '../test-model.ts';
import { twice } from './agent.ts';

/** A dangerous tool in a session: not run before approval, once after, never after denial. */

const user = { name: 'Ada', email: 'ada@example.com' };
const deletes = { text: '', calls: [{ id: 'call_1', name: 'delete_all_users', arguments: {} }] };

type Says = (request: ModelRequest) => Partial<ModelReply>;

/** What the newest event says, the way a model reads it. */
const taskIdIn = (text: string) => /task_id "([^"]+)"/.exec(text)?.[1] ?? '';
const lastOf = ({ entries }: ModelRequest) => entries.at(-1);

async function meet(says: readonly Says[]) {
  const requests: ModelRequest[] = [];
  const model = testModel((request) => {
    requests.push(request);
    return says[requests.length - 1]?.(request) ?? { text: 'Fine.' };
  });
  const door = openSessions([], { ...twice, model });
  await door.start({ tool: 'create_user', arguments: user });
  const session = await door.create();
  await session.say('Delete all users');
  const count = async () => {
    const { json } = await door.start({ tool: 'list_users' });
    return (json.result as { users: unknown[] }).users.length;
  };
  const pending = async () => (await session.view()).pending as { task_id: string }[];
  const ends = async () => {
    const history = await session.history();
    return history.flatMap(({ tool_response }) =>
      tool_response ? [tool_response as { name: string; error?: { message: string } }] : [],
    );
  };
  return { ...door, session, requests, count, pending, ends };
}

const answers =
  (value: unknown): Says =>
  ({ entries }) => {
    const event = entries.findLast(({ role }) => role === 'event');
    const task_id = event?.role === 'event' ? taskIdIn(event.text) : '';
    const args = { task_id, key: 'approve', value };
    return { text: '', calls: [{ id: 'call_2', name: 'answer_task', arguments: args }] };
  };

describe('a session whose tool asks for approval', () => {
  it('tells the model what is asked; it answers for the user, and the same call gets its result', async () => {
    const { requests, session, count, settle } = await meet([
      () => deletes,
      () => ({ text: 'Shall I?' }),
      answers({ approve: true }),
    ]);
    expect(await count()).toBe(1);
    await session.say('Yes, go ahead');
    await settle();
    const [, asked] = requests;
    const event = asked && lastOf(asked);
    expect(event).toMatchObject({ role: 'event', callId: 'call_1', kind: 'question' });
    expect(event?.role === 'event' && event.text).toContain('Delete every user?');
    expect(event?.role === 'event' && event.text).toContain('input_required');
    expect(await count()).toBe(0);
    const history = await session.history();
    const told = history.filter(
      ({ event }) => (event as { call_id?: string })?.call_id === 'call_1',
    );
    expect(told).toHaveLength(2);
    expect(told.at(-1)?.text).toContain('"deleted":1');
    expect(requests.length).toBeLessThanOrEqual(5);
  });

  it('takes no approval that the model gives without its user', async () => {
    const { session, count, settle, ends } = await meet([
      () => deletes,
      answers({ approve: true }),
      answers({ approve: true }),
    ]);
    await settle();
    expect(await count()).toBe(1);
    expect(await session.view()).toMatchObject({ status: 'input_required' });
    const refused = (await ends()).filter(({ name }) => name === 'answer_task');
    expect(refused).not.toHaveLength(0);
    for (const { error } of refused) {
      expect(error).toMatchObject({ message: expect.stringContaining('Only the user') });
    }
  });

  it('goes on when the user answers, and nothing is deleted before', async () => {
    const { ask, session, requests, count, pending, settle } = await meet([
      () => deletes,
      () => ({ text: 'Shall I?' }),
    ]);
    expect(await session.view()).toMatchObject({ status: 'input_required' });
    expect([requests.length, await count()]).toEqual([2, 1]);
    await session.say('What was it again?');
    expect([requests.length, await count()]).toEqual([3, 1]);
    const [call] = await pending();
    const path = `/v1/tasks/${String(call?.task_id)}/input`;
    const { status } = await ask(path, { json: { key: 'approve', value: { approve: true } } });
    expect(status).toBe(202);
    await settle();
    expect([requests.length, await count()]).toEqual([4, 0]);
    expect(await session.view()).toMatchObject({ status: 'idle', pending: [] });
  });

  it('does nothing once it was denied, whatever is said later', async () => {
    const { ask, pending, session, count, ends, settle } = await meet([
      () => deletes,
      () => ({ text: 'Shall I?' }),
    ]);
    const [call] = await pending();
    const path = `/v1/tasks/${String(call?.task_id)}/input`;
    const say = async (value: unknown) =>
      (await ask(path, { json: { key: 'approve', value } })).status;
    expect(await say({ action: 'decline' })).toBe(202);
    expect(await say({ approve: true })).toBe(409);
    await settle();
    expect(await say({ approve: true })).toBe(409);
    await session.say('Do it anyway');
    expect(await count()).toBe(1);
    expect(JSON.stringify(await session.history())).toContain('denied');
    expect(await ends()).not.toHaveLength(0);
  });

  it('is told of each question once', async () => {
    const { session, requests, settle } = await meet([() => deletes, () => ({ text: 'Shall I?' })]);
    await settle();
    await session.say('Wait a little');
    await settle();
    const told = requests.at(-1)?.entries.filter(({ role }) => role === 'event') ?? [];
    expect(told).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });
});
