import { readApiKeys } from '../../functions/adapters/api-keys.ts';
import { createApp } from '../../functions/api/app.ts';
import { keyAuth } from '../../functions/api/auth.ts';
import type { HouseOptions } from '../house.ts';
import { demoHouse } from '../running-house.ts';

/** The API over a memory house with two owners, asked as a client would ask. */

export const twoOwners = keyAuth(readApiKeys('alice:key-of-alice,bob:key-of-bob'));

export interface Asking {
  readonly as?: 'alice' | 'bob';
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export function openDoor(options: HouseOptions = {}) {
  const house = demoHouse(options);
  const app = createApp(house.ports, twoOwners);
  const ask = async (path: string, asking: Asking = {}): Promise<Answer> => {
    const { as = 'alice', json, headers = {} } = asking;
    const body = json === undefined ? asking.body : JSON.stringify(json);
    const method = asking.method ?? (body === undefined ? 'GET' : 'POST');
    const answer = await app.request(path, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        authorization: `Bearer key-of-${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    return readAnswer(answer);
  };
  const start = (json: Record<string, unknown>, as: Asking['as'] = 'alice') =>
    ask('/v1/tasks', { json, as });
  /** Start a wait of so many seconds and say its task id. */
  const startWait = async (seconds = 60, as: Asking['as'] = 'alice'): Promise<string> => {
    const { json } = await start({ tool: 'demo_wait', arguments: { seconds } }, as);
    return String(json.task_id);
  };
  const cancel = (id: string, as: Asking['as'] = 'alice') =>
    ask(`/v1/tasks/${id}/cancel`, { method: 'POST', as });
  return { house, ask, start, startWait, cancel };
}

export async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    headers: answer.headers,
    text,
    json: JSON.parse(text) as Record<string, unknown>,
  };
}
