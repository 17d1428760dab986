import type { ModelCall, ModelReply } from '../../functions/core/model.ts';
import { createApp } from '../../functions/api/app.ts';
import type { HouseOptions } from '../house.ts';
import { testModel } from '../test-model.ts';
import { openDoor, twoOwners, type Answer, type Asking } from './door.ts';

/** The API over a memory house whose model says what a test wrote down, one reply after another. */
export type Said = string | Partial<ModelReply>;

export interface SessionEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export function openSessions(said: readonly Said[] = [], options: HouseOptions = {}) {
  const left = [...said];
  const model = testModel(() => {
    const next = left.shift() ?? 'ok';
    return typeof next === 'string' ? { text: next } : { text: '', ...next };
  });
  const door = openDoor({ model, ...options });
  const { ask, house } = door;
  const create = async (json: Record<string, unknown> = {}, as: Asking['as'] = 'alice') => {
    const policy = { debounce_ms: 0, ...(json.policy as object | undefined) };
    const answer = await ask('/v1/sessions', { json: { ...json, policy }, as });
    if (answer.status !== 201) throw new Error(answer.text);
    return sessionAt(door, `/v1/sessions/${String(answer.json.session_id)}`, as);
  };
  return { ...door, house, create, settle: () => house.runFor(3000) };
}

export type Sessions = ReturnType<typeof openSessions>;
export type Session = ReturnType<typeof sessionAt>;

/** One session, as its client sees it. */
function sessionAt(
  { ask, house }: Pick<ReturnType<typeof openDoor>, 'ask' | 'house'>,
  path: string,
  as: Asking['as'] = 'alice',
) {
  const get = async (what = ''): Promise<Answer['json']> =>
    (await ask(`${path}${what}`, { as })).json;
  const poll = async (after = '') => {
    const page = await get(`/events?format=json&after=${after}`);
    return page as unknown as { readonly events: readonly SessionEvent[]; readonly cursor: string };
  };
  return {
    path,
    id: path.split('/').at(-1) ?? '',
    view: () => get(),
    poll,
    input: (json: Record<string, unknown>) => ask(`${path}/input`, { json, as }),
    respond: (json: Record<string, unknown>) => ask(`${path}/responses`, { json, as }),
    cancel: (callId: string) => ask(`${path}/calls/${callId}/cancel`, { method: 'POST', as }),
    /** The audit as it came, and its rows. */
    async audit() {
      const app = createApp(house.ports, twoOwners);
      const headers = { authorization: `Bearer key-of-${as}` };
      const answer = await app.request(`${path}/audit`, { headers });
      const text = await answer.text();
      const rows = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      return { status: answer.status, type: answer.headers.get('content-type'), text, rows };
    },
    history: async () => (await get('/history')).entries as readonly Record<string, unknown>[],
    /** Say something and wait until the session rests. */
    async say(text: string): Promise<void> {
      const { status, text: said } = await ask(`${path}/input`, { json: { text }, as });
      if (status !== 202) throw new Error(said);
      await house.runFor(3000);
    },
    /** All events, page by page until one is empty. */
    async allEvents(after = ''): Promise<readonly SessionEvent[]> {
      const page = await poll(after);
      if (page.events.length === 0) return [];
      return [...page.events, ...(await this.allEvents(page.cursor))];
    },
  };
}

export const call = (id: string, name: string, args: unknown = {}): ModelCall => ({
  id,
  name,
  arguments: args,
});

/** A tool the caller owns. */
export const ownTool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object' },
  long_running: true,
  ...more,
});

/** An event in short: its name and what tells it apart. */
export function brief({ event, data }: Pick<SessionEvent, 'event' | 'data'>): string {
  const { input_id, text, number, call_id, percent, status } = data;
  const words = [event, input_id ? text : undefined, number, call_id, percent, status];
  return words.flatMap((word) => (word === undefined ? [] : [word as string])).join(' ');
}
