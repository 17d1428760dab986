import type { HouseOptions } from '../house.ts';
import { openDoor } from './door.ts';

export const here: HouseOptions = { settings: { showCallback: true } };
export const live = { status: 'live', url: 'https://staging.example', duration: 480 };
export const neverWas = `task_${'x'.repeat(32)}`;

export interface Shown {
  readonly url: string;
  readonly token: string;
  readonly expires_at: string;
  readonly correlation_id: string;
}

/** A door behind which a deployment waits for its callback. */
export async function openDeployment(options: HouseOptions = here) {
  const door = openDoor(options);
  const startOne = async (more: object = {}) => {
    const args = { version: 'v2.5.0', environment: 'staging' };
    const { json } = await door.start({ tool: 'deploy_to_staging', arguments: args, ...more });
    await door.house.pump();
    return String(json.task_id);
  };
  const read = async (id: string) => (await door.ask(`/v1/tasks/${id}`)).json;
  const callbackOf = async (id: string) => (await read(id)).callback as Shown;
  const report = (id: string, token: string, json: unknown) =>
    door.ask(`/callbacks/${id}`, { json, headers: { authorization: `Bearer ${token}` } });
  return { ...door, startOne, read, callbackOf, report };
}
