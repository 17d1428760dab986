import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../functions/tasks/view-task.ts';
import { launch, newFolder, npmStart, onProcesses, type Started, type Test } from './npm-start.ts';

/** A dead worker is noticed after a second, so that the tests need not wait for two minutes. */
const CLAIM_S = '1';
const burst = 80;

/** Look until it is as wanted. */
async function until<T>(look: () => Promise<T>, wanted: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (wanted(seen)) return seen;
    await delay(20);
  }
}

const percentOf = ({ progress }: TaskView) => progress?.percent ?? 0;
const idsOf = (users: readonly { readonly id: string }[]) => users.map(({ id }) => id).toSorted();

const users_data = Array.from({ length: 8 }, (_, n) => ({
  name: `User ${n}`,
  email: `user${n}@example.com`,
}));

describe.concurrent('what was accepted', onProcesses, () => {
  it.for([
    ['kill -9', 'SIGKILL', null],
    ['Ctrl-C', 'SIGINT', 0],
  ] as const)('and begun goes on after %s, and is done once', async ([, signal, code], test) => {
    const env = { DATA_DIR: newFolder(test), CLAIM_S };
    const first = await npmStart(test, env);
    const taskId = await first.start('batch_create_users_async', { users_data, delay: 0.2 });
    const begun = await until(
      () => first.read(taskId),
      (task) => percentOf(task) >= 25,
    );
    expect(begun).toMatchObject({ status: 'working' });
    expect(await first.end(signal)).toBe(code);

    const second = await npmStart(test, env);
    expect(percentOf(await second.read(taskId))).toBeGreaterThanOrEqual(percentOf(begun));
    const ended = await second.read(taskId, 25);
    expect(ended).toMatchObject({
      status: 'completed',
      progress: { percent: 100 },
      result: { total_requested: 8, successful: 8, failed: 0 },
    });
    expect(ended.attempt).toBeGreaterThan(1);
    const { created_users } = ended.result as { created_users: { id: string }[] };
    const { users } = (await second.run('list_users')) as { users: { id: string }[] };
    expect(users).toHaveLength(users_data.length);
    expect(idsOf(users)).toEqual(idsOf(created_users));
    expect(await second.read(taskId)).toEqual(ended);
  });

  it('survives kill -9, begun or not', async (test) => {
    const env = { DATA_DIR: newFolder(test), CLAIM_S };
    const first = await npmStart(test, env);
    const args = { seconds: 0, result: 'here', idempotent: true };
    // Far more at once than can begin before the last of them is answered.
    const taskIds = await Promise.all(
      Array.from({ length: burst }, () => first.start('demo_wait', args)),
    );
    await first.end('SIGKILL');

    const second = await npmStart(test, env);
    const ended = await Promise.all(taskIds.map((taskId) => second.read(taskId, 25)));
    const wanted = { status: 'completed', result: 'here' };
    expect(ended).toEqual(taskIds.map(() => expect.objectContaining(wanted)));
  });

  it('ends at its deadline while many others only wait', async (test) => {
    const server = await npmStart(test, { DATA_DIR: newFolder(test) });
    const wait = (more: object) =>
      server.ask('/v1/tasks', { tool: 'demo_wait', arguments: { seconds: 60 }, ...more });
    await Promise.all(Array.from({ length: burst }, () => wait({})));
    const { json } = await wait({ deadline_s: 1 });
    const task = await server.read(String(json.task_id), 10);
    expect(task).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
  });
});

describe.concurrent('npm run engines', onProcesses, () => {
  it('prints what lets any number of npm start share their tasks', async (test) => {
    const folder = newFolder(test);
    const { end, environment } = await runEngines(test, join(folder, 'engines'));
    const unused = join(folder, 'unused');
    const env = { ...environment, DATA_DIR: unused, CLAIM_S };
    const [one, other] = await Promise.all([npmStart(test, env), npmStart(test, env)]);
    await shareTasks(one, other);
    await inheritTasks(one, other);
    expect(existsSync(unused)).toBe(false);
    expect(await other.end('SIGINT')).toBe(0);
    expect(await end('SIGINT')).toBe(0);
  });
});

async function runEngines(test: Test, DATA_DIR: string) {
  const { says, end } = launch(test, 'local/engines-main.ts', { DATA_DIR });
  const [, printed = ''] = await says(/^([^]*)^ready\n/m);
  const lines = printed.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^[A-Z_]+=\S+$/);
  const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  const loopback = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(environment).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: loopback,
    AWS_ENDPOINT_URL_SQS: loopback,
  });
  return { end, environment };
}

async function shareTasks(one: Started, other: Started) {
  const result_bytes = 100_000;
  const taskId = await one.start('demo_wait', { seconds: 0.1, result_bytes });
  const read = await other.read(taskId, 25);
  expect(read).toMatchObject({ status: 'completed', attempt: 1 });
  expect(JSON.stringify(read.result)).toHaveLength(result_bytes);
  const call = { tool: 'demo_wait', arguments: { seconds: 0 }, idempotency_key: 'deploy-7' };
  const [here, there] = await Promise.all([one, other].map(({ ask }) => ask('/v1/tasks', call)));
  expect(there?.text).toBe(here?.text);
}

/** Whichever of the two runs a task: when one is killed, the other finishes what it began. */
async function inheritTasks(one: Started, other: Started) {
  const args = { seconds: 0.8, progress: 8 };
  const taskIds = await Promise.all(Array.from({ length: 6 }, () => one.start('demo_wait', args)));
  for (const taskId of taskIds) {
    await until(
      () => one.read(taskId),
      (task) => percentOf(task) > 0,
    );
  }
  await one.end('SIGKILL');
  const tasks = await Promise.all(taskIds.map((taskId) => other.read(taskId, 25)));
  expect(tasks.map(({ status }) => status)).toEqual(taskIds.map(() => 'completed'));
}
