import { describe, expect, it } from 'vitest';
import { alice } from '../house.ts';
import { minuteMs, openCi } from './ci-door.ts';

describe('a callback', () => {
  it.each([
    ['wrong', 401, 'unauthorized'],
    ['expired', 410, 'token_expired'],
    ['reused', 409, 'task_ended'],
    ['late', 409, 'task_ended'],
    ['oversized', 413, 'body_too_large'],
    ['schema-breaking', 422, 'result_schema_mismatch'],
    ['shapeless', 400, 'invalid_request'],
  ])('that is %s is answered %i %s, and stands in the audit', async (kind, status, code) => {
    const { house, post, deploy, said } = openCi({ settings: { showCallback: true } });
    const task = await deploy();
    const grant = { owner: alice, taskId: task.taskId, verbs: ['progress', 'completed', 'failed'] };
    const endsAtMs = house.clock.nowMs() + (kind === 'expired' ? -1 : minuteMs);
    const token = house.ports.sealer.seal('callback', grant, endsAtMs);
    const report = (body: object, given = token) =>
      post(`/callbacks/${task.taskId}`, JSON.stringify(body), {
        authorization: `Bearer ${given}`,
        'content-type': 'application/json',
      });
    const live = { status: 'live', url: 'https://staging.example' };
    if (kind === 'reused') await report({ status: 'completed', result: live });
    if (kind === 'late') {
      await house.ports.tasks.record(task, 'anyone', {
        kind: 'cancelled',
        atMs: house.clock.nowMs(),
      });
    }
    const bodies: Record<string, object> = {
      oversized: { status: 'completed', result: 'x'.repeat(1_100_000) },
      'schema-breaking': { status: 'completed', result: { status: 'live' } },
      shapeless: { state: 'completed' },
      reused: { status: 'failed', error: 'after all' },
    };
    const body = bodies[kind] ?? { status: 'completed', result: live };
    const answer = await report(body, kind === 'wrong' ? `${token}x` : token);
    expect(answer).toMatchObject({ status, json: { code } });
    const { items } = await house.ports.audit.list(alice, { limit: 10 });
    const refused = items.filter((row) => row.kind === 'refused');
    expect(refused).toMatchObject([{ what: 'callback', code, taskId: task.taskId }]);
    expect(said.join('\n')).not.toContain(token.slice(0, 20));
  });

  it('takes its token from the header only', async () => {
    const { house, post, deploy } = openCi();
    const task = await deploy();
    const grant = { owner: alice, taskId: task.taskId, verbs: ['completed'] };
    const token = house.ports.sealer.seal('callback', grant, house.clock.nowMs() + minuteMs);
    const body = JSON.stringify({ status: 'completed', result: { status: 'x', url: 'https://x' } });
    const json = { 'content-type': 'application/json' };
    for (const path of [
      `/callbacks/${task.taskId}?token=${token}`,
      `/callbacks/${task.taskId}?access_token=${token}`,
    ]) {
      expect((await post(path, body, json)).status).toBe(401);
    }
    expect((await post(`/callbacks/${task.taskId}/${token}`, body, json)).status).toBe(404);
  });
});
