import { describe, expect, it } from 'vitest';
import { bodyBytesMax } from '../../functions/core/limits.ts';
import { createApp } from '../../functions/api/app.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { demoHouse } from '../running-house.ts';
import { live, neverWas, openDeployment } from './deployment.ts';
import { readAnswer, twoOwners, type Answer } from './door.ts';

const whole = ({ status, headers, text }: Answer) => ({
  status,
  headers: Object.fromEntries(headers),
  text,
});

describe('a callback is refused', () => {
  it('with 401 for a wrong token, another task’s, an API key, none, and an unknown task alike', async () => {
    const { startOne, read, callbackOf, report } = await openDeployment();
    const [id, other] = [await startOne(), await startOne()];
    const { token } = await callbackOf(id);
    const theirs = await callbackOf(other);
    const body = { status: 'completed', result: live };
    const refused = await Promise.all([
      report(id, 'wrong', body),
      report(id, theirs.token, body),
      report(id, `${token}x`, body),
      report(id, token.slice(0, -2), body),
      report(id, 'key-of-alice', body),
      report(id, '', body),
      report(neverWas, token, body),
      report('1', token, body),
    ]);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
      expect(whole(answer)).toEqual(whole(refused[0] ?? answer));
    }
    expect(await read(id)).toMatchObject({ status: 'working' });
  });

  it('with 401 for a token whose task is gone', async () => {
    const { house, startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const empty = createApp(demoHouse().ports, twoOwners);
    const answer = await empty.request(`/callbacks/${id}`, {
      method: 'POST',
      body: JSON.stringify({ status: 'progress' }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(401);
    expect((await readAnswer(answer)).text).toBe((await report(id, 'wrong', {})).text);
    expect(house.ports.work.size).toBe(0);
  });

  it('with 401 for what its token does not allow', async () => {
    const { house, startOne, report } = await openDeployment();
    const id = await startOne();
    const grant = { owner: 'alice', taskId: id, verbs: ['progress'] };
    const token = house.ports.sealer.seal('callback', grant, house.clock.nowMs() + 1000);
    expect((await report(id, token, { status: 'completed', result: live })).status).toBe(401);
    expect((await report(id, token, { status: 'progress' })).status).toBe(202);
  });

  it('with 410 once the deadline of its task has passed', async () => {
    const { house, startOne, callbackOf, report } = await openDeployment();
    const id = await startOne({ deadline_s: 5 });
    const { token, expires_at } = await callbackOf(id);
    expect(expires_at).toBe('2026-01-01T00:00:05.000Z');
    await house.clock.advance(5000);
    const answer = await report(id, token, { status: 'completed', result: live });
    expect(answer).toMatchObject({ status: 410, json: { code: 'token_expired' } });
  });

  it('with 410 after the timeout too, but its result is kept and can be seen', async () => {
    const { ask, house, startOne, callbackOf, report, read } = await openDeployment();
    const id = await startOne({ deadline_s: 5 });
    const { token } = await callbackOf(id);
    await house.clock.advance(6000);
    await sweep(house.ports);
    await house.pump();
    expect((await report(id, token, { status: 'completed', result: { wrong: 1 } })).status).toBe(
      410,
    );
    expect(await read(id)).not.toHaveProperty('late_result');
    for (const _ of [1, 2]) {
      expect((await report(id, token, { status: 'completed', result: live })).status).toBe(410);
    }
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
      late_result: live,
    });
    const { items } = (await ask('/v1/audit')).json as { items: { kind: string }[] };
    expect(items.filter(({ kind }) => kind === 'late')).toHaveLength(1);
  });

  it.each(['{"status":', '', 'status=completed'])('with 400 for the body %j', async (body) => {
    const { ask, startOne, read, callbackOf } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await ask(`/callbacks/${id}`, { body, headers, method: 'POST' });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_json' } });
    expect(await read(id)).toMatchObject({ status: 'working' });
  });

  it.each([
    [{}, 'status'],
    [{ status: 'cancelled' }, 'status'],
    [{ status: 'progress', progress: { percent: 'half' } }, 'progress.percent'],
    [{ status: 'progress', progress: { percent: 101 } }, 'progress.percent'],
    [{ status: 'progress', progress: { percent: -1 } }, 'progress.percent'],
    [{ status: 'failed', error: 7 }, 'error'],
    [{ status: 'completed', resutl: {} }, 'resutl'],
  ])('with 400 for a report of the wrong shape: %j', async (json, path) => {
    const { startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const answer = await report(id, token, json);
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    expect(answer.json.errors).toMatchObject([{ path }]);
  });

  it('with 413 for a body that is too large, and with 401 before it is read', async () => {
    const { startOne, callbackOf, report } = await openDeployment();
    const id = await startOne();
    const { token } = await callbackOf(id);
    const json = { status: 'completed', result: 'x'.repeat(bodyBytesMax) };
    expect(await report(id, token, json)).toMatchObject({
      status: 413,
      json: { code: 'body_too_large' },
    });
    expect((await report(id, 'wrong', json)).status).toBe(401);
  });
});
