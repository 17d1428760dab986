import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { EntryView } from '../../functions/sessions/view-history.ts';
import type { SessionView } from '../../functions/sessions/view-session.ts';
import { newFolder, npmStart, onProcesses, type Started } from './npm-start.ts';

/** A dead worker or resumer is noticed after a second, so that the tests need not wait for two minutes. */
const CLAIM_S = '1';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A session of the running server, as its client sees it. */
function sessionAt({ ask }: Started, path: string) {
  const events = async (after = ''): Promise<readonly Told[]> => {
    const { json } = await ask(`${path}/events?format=json&after=${after}`);
    const page = json as unknown as { readonly events: readonly Told[]; readonly cursor: string };
    return page.events.length === 0 ? [] : [...page.events, ...(await events(page.cursor))];
  };
  const view = async () => (await ask(path)).json as unknown as SessionView;
  return {
    view,
    events,
    say: (text: string) => ask(`${path}/input`, { text, input_id: text }),
    history: async () => (await ask(`${path}/history`)).json.entries as readonly EntryView[],
    async until(wanted: (view: SessionView) => boolean) {
      for (;;) {
        const seen = await view();
        if (wanted(seen)) return seen;
        await delay(20);
      }
    },
  };
}

const newSession = async ({ ask }: Started) =>
  `/v1/sessions/${String((await ask('/v1/sessions', {})).json.session_id)}`;

const percentOf = ({ pending }: SessionView) => pending[0]?.progress?.percent ?? 0;

const responsesIn = (entries: readonly EntryView[]) =>
  entries.flatMap(({ tool_response: response }) => (response ? [response] : []));

/** The words of one of them; events stand in the user's place but are not the user's. */
const said = (entries: readonly EntryView[], who: 'user' | 'assistant') =>
  entries.flatMap(({ role, event, text }) => (role === who && !event && text ? [text] : []));

/** What is done before the kill gives what is seen after it. */
type Story = (first: Started) => Promise<(second: Started) => Promise<void>>;

const callRuns: Story = async (first) => {
  const path = await newSession(first);
  const before = sessionAt(first, path);
  await before.say('Install redis within 3 seconds');
  await before.until((view) => percentOf(view) >= 25);
  return async (second) => {
    const after = sessionAt(second, path);
    const rested = await after.until(({ status }) => status === 'idle');
    expect(rested).toMatchObject({ finish_reason: 'stop', pending: [] });
    const history = await after.history();
    expect(said(history, 'user')).toEqual(['Install redis within 3 seconds']);
    const ends = said(history, 'assistant').filter((text) => text.startsWith('redis is installed'));
    expect(ends).toHaveLength(1);
    // Either the response or one closing event carries the result, never both.
    const bound = responsesIn(history).filter(({ status }) => status === 'completed');
    const closing = history.filter(({ event, text }) => event && text?.includes('"installed"'));
    expect(responsesIn(history)).toHaveLength(1);
    expect(bound.length + closing.length).toBe(1);
    const told = await after.events();
    expect(told.filter(({ event }) => event === 'call')).toHaveLength(1);
    const ended = told.filter(({ event }) => event === 'task').map(({ data }) => data.status);
    expect(ended).toEqual(['completed']);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  };
};

const userHasSpoken: Story = async (first) => {
  const path = await newSession(first);
  expect((await sessionAt(first, path).say('Hello')).status).toBe(202);
  return async (second) => {
    const after = sessionAt(second, path);
    await after.until(({ status, turns }) => status === 'idle' && turns > 0);
    // Whoever got no answer says it again.
    expect((await after.say('Hello')).status).toBe(202);
    await delay(500);
    expect(await after.view()).toMatchObject({ status: 'idle', turns: 1 });
    expect(said(await after.history(), 'assistant')).toEqual(['Hello! What shall I do for you?']);
  };
};

const waitsForCallback: Story = async (first) => {
  const path = await newSession(first);
  const before = sessionAt(first, path);
  await before.say('Deploy v2.5.0 to staging');
  const { pending } = await before.until((view) => view.pending[0]?.task_id !== undefined);
  const { json } = await first.ask(`/v1/tasks/${pending[0]?.task_id}`);
  const { url, token } = json.callback as { readonly url: string; readonly token: string };
  const result = { status: 'completed', url: 'https://staging.example.com', duration: '8m12s' };
  return async (second) => {
    const report = () =>
      fetch(`${second.url}${new URL(url).pathname}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'completed', result }),
      });
    expect([(await report()).status, (await report()).status]).toEqual([202, 200]);
    const after = sessionAt(second, path);
    await after.until(({ status }) => status === 'idle');
    const history = await after.history();
    expect(responsesIn(history)).toMatchObject([{ status: 'completed', result }]);
    expect(history.at(-1)?.text).toContain('Duration: 8 minutes 12 seconds.');
    expect(await after.view()).toMatchObject({ turns: 2 });
  };
};

describe('after kill -9 of everything', onProcesses, () => {
  it('a running call brings its result once, a user is answered once, and a callback arrives', async (test) => {
    const env = { DATA_DIR: newFolder(test), CLAIM_S };
    const first = await npmStart(test, env);
    const [running, waiting] = await Promise.all([callRuns(first), waitsForCallback(first)]);
    const spoken = await userHasSpoken(first);
    await first.end('SIGKILL');
    const second = await npmStart(test, env);
    await Promise.all([running(second), waiting(second), spoken(second)]);
  });
});
