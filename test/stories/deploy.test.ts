import { describe, expect, it } from 'vitest';
import { demoSpeaker } from '../../functions/adapters/scripted-demo.ts';
import { scriptedModel } from '../../functions/adapters/scripted-model.ts';
import { virtualClock } from '../house.ts';
import { openCi } from '../ci/ci-door.ts';
import { fakeGitHub } from '../ci/fake-github.ts';
import { twice } from './agent.ts';

/** One conversation: a wish, a run on GitHub, and its webhook. */
async function wish(test: { onTestFinished: (act: () => void) => void }) {
  const fake = await fakeGitHub();
  test.onTestFinished(fake.close);
  const clock = virtualClock(Date.UTC(2026, 0, 1));
  const model = scriptedModel('scripted', demoSpeaker(), clock);
  const door = openCi({ ...twice, clock, model, github: fake.github });
  const { app, house } = door;
  const ask = async (path: string, json?: object) => {
    const answer = await app.request(path, {
      ...(json ? { method: 'POST', body: JSON.stringify(json) } : {}),
      headers: { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' },
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const created = await ask('/v1/sessions', { policy: { debounce_ms: 0 } });
  const path = `/v1/sessions/${String(created.session_id)}`;
  const settle = async () => {
    for (let n = 0; n < 20; n += 1) {
      await house.runFor(1000);
      // GitHub answers in its own time.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await ask(`${path}/input`, { text: 'deploy v2.5.0 to staging' });
  await settle();
  const { pending } = await ask(path);
  const [call] = pending as { call_id: string; task_id: string }[];
  const entries = async () =>
    (await ask(`${path}/history`)).entries as {
      role: string;
      text?: string;
      tool_response?: { call_id: string; status: string; result?: unknown };
    }[];
  return { ...door, fake, ask, path, call, entries, settle };
}

describe('"deploy v2.5.0 to staging"', () => {
  it('is answered, by the call that asked, once GitHub tells that its run has ended', async (test) => {
    const { fake, ask, path, call, entries, settle, send, outcomes } = await wish(test);
    const planted = fake.asked[0]?.body?.inputs.boomerang_id ?? '';
    expect(call?.task_id).toBe(`task_${planted}`);
    expect(fake.asked).toMatchObject([
      { body: { inputs: { version: 'v2.5.0', environment: 'staging' } } },
    ]);
    expect(await ask(path)).toMatchObject({ pending: [{ tool: 'deploy_to_staging' }] });

    await send('github', { planted, outcome: 'running' });
    await settle();
    await send('github', { planted });
    await send('github', { planted });
    await settle();

    expect(await ask(path)).toMatchObject({ status: 'idle', pending: [] });
    const responses = (await entries()).flatMap(({ tool_response: one }) => (one ? [one] : []));
    expect(responses).toMatchObject([
      {
        call_id: call?.call_id,
        status: 'completed',
        result: {
          status: 'success',
          url: 'https://github.com/acme/app/actions/runs/7001',
          duration: 480,
        },
      },
    ]);
    const last = (await entries()).at(-1);
    expect(last).toMatchObject({ role: 'assistant' });
    expect(last?.text).toContain('v2.5.0');
    expect(outcomes()).toContain('duplicate');
  });

  it('is answered with the failure of the run', async (test) => {
    const { fake, ask, path, entries, settle, send } = await wish(test);
    const planted = fake.asked[0]?.body?.inputs.boomerang_id ?? '';
    await send('github', { planted, outcome: 'failure' });
    await settle();
    expect(await ask(path)).toMatchObject({ pending: [] });
    const responses = (await entries()).flatMap(({ tool_response: one }) => (one ? [one] : []));
    expect(responses).toMatchObject([{ status: 'failed' }]);
  });
});
