import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asTaskId } from '../../functions/core/ids.ts';
import { playScenario } from '../../local/scenario/play-scenario.ts';
import { readScenario } from '../../local/scenario/read-scenario.ts';
import {
  fileOf,
  playTwice,
  responsesIn,
  saidBy,
  scenarioFolder,
  timesOf,
  withoutIds,
} from './scenarios.ts';

const names = readdirSync(scenarioFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

describe('every scenario of examples/', () => {
  it.each(names)('%s is told the same when everything is delivered twice', async (name) => {
    const once = await playScenario(readScenario(fileOf(name)));
    const twice = await playTwice(name);
    expect(withoutIds(twice)).toEqual(withoutIds(once));
    expect(twice.modelRequests).toBe(once.modelRequests);
  });
});

describe('deploy v2.5.0', () => {
  it('yields, and eight minutes later the result is bound to the call that asked', async () => {
    const played = await playTwice('deploy');
    expect(saidBy(played, 'yields')).toEqual([
      'waiting for call_abc123 (deploy_to_staging v2.5.0)',
    ]);
    expect(timesOf(played, 'model')).toEqual([0, 492]);
    const result = {
      status: 'completed',
      url: 'https://staging.example.com',
      duration: '8m12s',
    };
    expect(responsesIn(played)).toEqual([
      { call_id: 'call_abc123', name: 'deploy_to_staging', status: 'completed', result },
    ]);
    // The model never saw that it had to wait: call, result, answer.
    expect(played.history.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(played.audit).toMatchObject([
      { turn: 1, trigger: 'user' },
      { turn: 2, trigger: 'task', actor: 'call_abc123' },
    ]);
  });
});

describe('the installer with a conversation in between', () => {
  it('reports both on their way, and answers the user meanwhile', async () => {
    const played = await playTwice('installer');
    const reached = (name: string) =>
      saidBy(played, 'progress')
        .filter((text) => text.includes(`install_package ${name}`))
        .map((text) => Number(/(\d+)%/.exec(text)?.[1]));
    expect(reached('demo-package')).toEqual([25, 50, 75, 100]);
    expect(reached('redis')).toEqual([25, 50, 75, 100]);
    const words = saidBy(played, 'model').join('\n');
    for (const percent of [25, 50, 75]) {
      expect(words).toContain(`The installation of demo-package is at ${percent}%`);
      expect(words).toContain(`The installation of redis is at ${percent}%`);
    }
    expect(words).toContain('I threw a boomerang a few years ago.');
    expect(words).toContain('That makes 42.');
  });

  it('interleaves the two, tells each end once, and loses no word of the user', async () => {
    const played = await playTwice('installer');
    const order = saidBy(played, 'progress').map((text) => text.split('install_package ')[1]?.[0]);
    expect(order.join('')).toBe('drrdrrdd');
    const texts = saidBy(played, 'model').flatMap((text) => text.split('\n\n'));
    for (const name of ['demo-package', 'redis']) {
      expect(texts.filter((text) => text.startsWith(`${name} is installed`))).toHaveLength(1);
      expect(saidBy(played, 'result').filter((text) => text.includes(`installed`))).toHaveLength(2);
    }
    const users = played.history.filter(({ role, event }) => role === 'user' && !event);
    expect(users.map(({ text }) => text)).toEqual(saidBy(played, 'you'));
  });
});

describe('a batch of five users', () => {
  it('creates each of them once, and the answer names them all', async () => {
    const { house, session, ...played } = await playTwice('batch');
    const { items } = await house.ports.users.list(session.owner, { limit: 100 });
    expect(items.map(({ name }) => name).toSorted()).toEqual([
      'Alice',
      'Bob',
      'Charlie',
      'Diana',
      'Eve',
    ]);
    const [batch, list] = responsesIn(played);
    expect(batch).toMatchObject({
      name: 'batch_create_users_async',
      status: 'completed',
      result: { total_requested: 5, successful: 5, failed: 0, duration_seconds: 2.5 },
    });
    expect(list).toMatchObject({ name: 'list_users', result: { users: items } });
    expect(timesOf(played, 'progress')).toEqual([0, 1, 1, 2, 2]);
  });
});

describe('two tools at once', () => {
  it('run side by side, and are answered together in request order', async () => {
    const played = await playTwice('two-tools');
    expect(timesOf(played, 'result')).toEqual([20, 492]);
    // By then the prompt cache is cold, so the results stand where their calls were answered.
    expect(responsesIn(played)).toMatchObject([
      { name: 'deploy_to_staging', status: 'completed', result: { duration: '8m12s' } },
      { name: 'install_package', status: 'completed', result: { package: 'redis' } },
    ]);
    const last = saidBy(played, 'model').at(-1) ?? '';
    expect(last).toContain('URL: https://staging.example.com');
    expect(last).toContain('redis is installed');
  });
});

describe('cancel mid-way', () => {
  it('ends what was meant, by words or at the door, and leaves the rest alone', async () => {
    const played = await playTwice('cancel');
    expect(saidBy(played, 'cancelled')).toEqual([
      'install_package redis',
      'install_package postgres',
    ]);
    const ends = played.calls.filter(({ taskId }) => taskId !== undefined);
    const tasks = await Promise.all(
      ends.map(({ taskId }) =>
        played.house.ports.tasks.get({ ...played.session, taskId: asTaskId(taskId ?? '') }),
      ),
    );
    expect(tasks.map((task) => [task?.state.status, task?.progress?.percent])).toEqual([
      ['cancelled', 50],
      ['cancelled', 25],
      ['completed', 100],
    ]);
  });
});

describe('quick and slow in one turn', () => {
  it('answers the quick calls at once, and all of them in request order', async () => {
    const played = await playTwice('mixed');
    expect(timesOf(played, 'result')).toEqual([0, 0, 10]);
    expect(responsesIn(played)).toMatchObject([
      { call_id: 'call_ann', status: 'completed', result: { name: 'Ann' } },
      { call_id: 'call_batch', status: 'completed', result: { successful: 2 } },
      { call_id: 'call_list', status: 'completed', result: { users: [{ name: 'Ann' }] } },
    ]);
    const { items } = await played.house.ports.users.list(played.session.owner, { limit: 10 });
    expect(items).toHaveLength(3);
  });
});

describe('ten thousand records', () => {
  it('reach the user with every report, and the model at the declared one only', async () => {
    const played = await playTwice('pipeline');
    const minutes = timesOf(played, 'progress').map((second) => second / 60);
    expect(minutes).toEqual([5, 10, 15, 25]);
    expect(saidBy(played, 'model').slice(1, 3)).toEqual([
      'Half of the records are through.',
      'Well: it is past the middle, and nothing has failed so far.',
    ]);
    expect(responsesIn(played)).toMatchObject([
      { call_id: 'call_job456', status: 'completed', result: { records_processed: 10000 } },
    ]);
    expect(played.audit).toMatchObject([
      { trigger: 'user' },
      { trigger: 'task', actor: 'call_job456' },
      { trigger: 'user' },
      { trigger: 'response', actor: 'call_job456' },
    ]);
  });
});

describe('a result after the timeout', () => {
  it('is shown once, as a correction that closes nothing', async () => {
    const played = await playTwice('late-result');
    expect(saidBy(played, 'failed')).toEqual([expect.stringContaining('timed_out')]);
    expect(saidBy(played, 'caller')[0]).toContain('refused, response_conflict: status');
    expect(saidBy(played, 'model')[2]).toMatch(/after all \(status: completed, .*: 26h\)\.$/);
    const told = played.history.filter(({ event }) => event).map(({ text }) => text);
    expect(told).toEqual([expect.stringContaining('correction completed')]);
    expect(responsesIn(played)).toMatchObject([{ status: 'failed', error: { code: 'timed_out' } }]);
    expect(played.audit).toMatchObject([
      { trigger: 'user' },
      { trigger: 'timer' },
      { kind: 'refused', what: 'session.responses', code: 'response_conflict' },
      { trigger: 'task' },
      { kind: 'refused', what: 'session.responses', code: 'response_conflict' },
      { trigger: 'user' },
    ]);
  });
});

describe('a tool with two results', () => {
  it('keeps its call open until the second one, and each is told once', async () => {
    const played = await playTwice('two-results');
    expect(saidBy(played, 'caller')).toEqual([
      expect.stringContaining('result 1 of 2'),
      expect.stringContaining('is answered'),
    ]);
    expect(saidBy(played, 'model')).toEqual([
      'I have asked both. Approvals take their time.',
      'Security agrees. One more to go.',
      'A good idea. I will call you.',
      'Legal agrees too: the change may go out.',
    ]);
    const told = played.history.filter(({ event }) => event).map(({ text }) => text);
    expect(told).toEqual([
      expect.stringMatching(/working 1 of 2.*security/s),
      expect.stringMatching(/completed.*stands in the response/s),
    ]);
    expect(responsesIn(played)).toMatchObject([
      { call_id: 'call_ok', status: 'completed', result: { by: 'legal' } },
    ]);
  });
});

describe('a dangerous tool', () => {
  it('waits for its user, does nothing after a no, and runs once after a yes', async () => {
    const played = await playTwice('approval');
    const asked = 'The deletion of all users asks: Delete every user? This cannot be undone.';
    expect(saidBy(played, 'model').filter((text) => text === asked)).toHaveLength(2);
    const ends = responsesIn(played).filter(({ name }) => name === 'delete_all_users');
    const told = played.history.filter(({ event }) => event).map(({ text }) => text);
    expect([...ends, ...told].map((end) => JSON.stringify(end)).join()).toMatch(/denied.*deleted/s);
    expect(saidBy(played, 'result').filter((text) => /deleted:\s3/.test(text))).toHaveLength(1);
    expect(saidBy(played, 'progress').at(-1)).toMatch(/100%.*3 gone$/);
  });
});
