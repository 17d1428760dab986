import { expect } from 'vitest';
import { models } from '../../functions/adapters/models.ts';
import type { Entry } from '../../functions/core/entry.ts';
import { describeLongRunning } from '../../functions/core/guidance.ts';
import { illegalities } from '../../functions/core/legality.ts';
import type { ModelCall } from '../../functions/core/model.ts';
import { assistant, request, tool } from './sample-history.ts';

const long = [
  'batch_create_users_async',
  'deploy_to_staging',
  'install_package',
  'delete_all_users',
  'demo_wait',
  'render',
];
const quick = ['create_user', 'delete_user', 'list_users', 'get_task', 'cancel_task', 'list_tasks'];
const tools = [
  ...long.map((name) => tool(name, { description: describeLongRunning(`Do ${name}.`, 1) })),
  ...quick.map((name) => tool(name)),
];

/** A conversation with the demo; whoever plays the tools adds entries of their own. */
export async function stage() {
  const model = await models({}, { sleep: async () => undefined })(undefined);
  const entries: Entry[] = [];
  return async (...more: readonly Entry[]) => {
    entries.push(...more);
    expect(illegalities(entries, model.profile)).toEqual([]);
    const outcome = await model.generate(request(entries, { tools }));
    if (outcome.kind !== 'reply') throw new Error(`no reply: ${outcome.kind}`);
    const { text, calls } = outcome.reply;
    expect(text !== '' || calls.length > 0).toBe(true);
    const made = calls.map(({ id, name, arguments: args }) => ({
      id,
      tool: name,
      arguments: args,
    }));
    entries.push(assistant(text, made));
    return { text, calls };
  };
}

export const first = (calls: readonly ModelCall[]): ModelCall => {
  const [call] = calls;
  if (!call) throw new Error('no call was made');
  return call;
};
export const named = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com` });
