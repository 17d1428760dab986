import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { ok, refuse } from '../../functions/core/result.ts';
import { callbackFor, openCallback, wrongToken } from '../../functions/tasks/callback.ts';
import { alice, memoryHouse } from '../house.ts';

async function callbackHouse() {
  const house = memoryHouse();
  const task = await house.start();
  const { ports, clock } = house;
  return { house, ports, clock, task, callback: callbackFor(ports, task) };
}

describe('a callback token', () => {
  it('opens as a grant for its own task and all verbs', async () => {
    const { ports, task, callback } = await callbackHouse();
    expect(openCallback(ports, callback.token, task.taskId)).toEqual(
      ok({
        grant: { owner: alice, taskId: task.taskId, verbs: ['progress', 'completed', 'failed'] },
        isExpired: false,
      }),
    );
  });

  it('shows nothing of what it grants', async () => {
    const { task, callback } = await callbackHouse();
    const plain = Buffer.from(callback.token, 'base64url').toString('latin1');
    for (const secret of [task.taskId, 'alice', 'completed']) expect(plain).not.toContain(secret);
  });

  it('is too old at the deadline of its task, and not before', async () => {
    const { ports, clock, task, callback } = await callbackHouse();
    await clock.advance(task.deadlineMs - clock.nowMs() - 1);
    const isExpired = () => {
      const opened = openCallback(ports, callback.token, task.taskId);
      return opened.ok && opened.value.isExpired;
    };
    expect(isExpired()).toBe(false);
    await clock.advance(1);
    expect(isExpired()).toBe(true);
    expect(openCallback(ports, callback.token, ports.newTaskId())).toEqual(refuse(wrongToken));
  });

  it('opens for no other task', async () => {
    const { house, ports, callback } = await callbackHouse();
    const other = await house.start();
    expect(openCallback(ports, callback.token, other.taskId)).toEqual(refuse(wrongToken));
  });

  it('is worth nothing when a single character of it is changed', async () => {
    const { ports, task, callback } = await callbackHouse();
    const { token } = callback;
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const forged = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
      expect(openCallback(ports, forged, task.taskId)).toEqual(refuse(wrongToken));
    }
  });

  it.each(['', 'x', 'Bearer', 'é', 'A'.repeat(5000)])('is not %j', async (token) => {
    const { ports, task } = await callbackHouse();
    expect(openCallback(ports, token, task.taskId)).toEqual(refuse(wrongToken));
  });

  it('cannot be something that was sealed for another use, or is no grant', async () => {
    const { ports, task } = await callbackHouse();
    const { taskId, owner, deadlineMs } = task;
    const verbs = ['progress'];
    const open = (purpose: string, value: unknown) =>
      openCallback(ports, ports.sealer.seal(purpose, value, deadlineMs), taskId);
    expect(open('cursor', { owner, taskId, verbs })).toEqual(refuse(wrongToken));
    for (const value of [null, 7, taskId, { owner, taskId }, { owner, taskId, verbs: 'all' }]) {
      expect(open('callback', value)).toEqual(refuse(wrongToken));
    }
  });

  it('grants only the verbs that were sealed in it', async () => {
    const { ports, task } = await callbackHouse();
    const { taskId, deadlineMs } = task;
    const grant = { owner: asOwner('alice'), taskId, verbs: ['progress', 'dance'] };
    const token = ports.sealer.seal('callback', grant, deadlineMs);
    expect(openCallback(ports, token, taskId)).toMatchObject({
      value: { grant: { verbs: ['progress'] } },
    });
  });
});
