import { createApp } from '../../functions/api/app.ts';
import type { CiAccess } from '../../functions/api/ci.ts';
import type { CiProvider } from '../../functions/core/ci/report.ts';
import { correlationIdOf } from '../../functions/core/ci/correlation.ts';
import { refuse } from '../../functions/core/result.ts';
import { readValue } from '../../functions/tasks/keep-value.ts';
import { demoHouse, type HouseOptions } from '../house.ts';
import { readAnswer, twoOwners } from '../api/door.ts';
import { payloads, secrets, sign, type Headers, type RunFacts } from './webhooks.ts';

export const minuteMs = 60_000;

const nobody: CiAccess = {
  secrets,
  verifyWorkload: async () => refuse({ reason: 'unauthorized', detail: 'none' }),
};

/** A house with deployments behind its door, and the webhooks that reach it. */
export function openCi(options: HouseOptions = {}, access: Partial<CiAccess> = {}) {
  const said: string[] = [];
  const house = demoHouse(options);
  const log = (...facts: readonly unknown[]) => void said.push(JSON.stringify(facts));
  Object.assign(house.ports, { log });
  const app = createApp(house.ports, twoOwners, { ci: { ...nobody, ...access } });
  const post = async (path: string, body: string, headers: Headers = {}) =>
    readAnswer(await app.request(path, { method: 'POST', body, headers }));
  const send = (provider: CiProvider, facts: RunFacts, headers?: Headers) => {
    const body = JSON.stringify(payloads[provider](facts));
    const signed = headers ?? sign(provider, body, house.clock.nowMs());
    return post(`/callbacks/ci/${provider}`, body, signed);
  };
  const deploy = async (version = 'v2.5.0') => {
    const args = { version };
    const task = await house.start({ tool: 'deploy_to_staging', arguments: args });
    await house.pump();
    return { ...task, id: correlationIdOf(task.taskId) };
  };
  const resultOf = async (key: Parameters<typeof house.task>[0]) => {
    const task = await house.task(key);
    if (task.state.status !== 'completed') return task.state;
    return readValue(house.ports, await house.ports.tasks.result(task));
  };
  const outcomes = () => said.flatMap((line) => /"ci report (\w+)"/.exec(line)?.[1] ?? []);
  return { house, app, post, send, deploy, resultOf, outcomes, said };
}
