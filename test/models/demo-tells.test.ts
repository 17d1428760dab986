import { describe, expect, it } from 'vitest';
import { models } from '../../functions/adapters/models.ts';
import type { ModelCall } from '../../functions/core/model.ts';
import { first, named, stage } from './demo-stage.ts';
import { event, placeholder, request, response, shown, user } from './sample-history.ts';

describe('the demo tells', () => {
  it('the deployment as it ended, with address and duration', async () => {
    const talk = await stage();
    const { text, calls } = await talk(user('Deploy v2.5.0 to staging'));
    expect(text).toBe(
      'Deploying v2.5.0 to staging. I will tell you when there is news; just go on talking meanwhile.',
    );
    const value = shown({
      status: 'completed',
      url: 'https://staging.example.com',
      duration: '8m12s',
    });
    const bound = response(first(calls).id, 'deploy_to_staging', { ...task(calls), value });
    expect((await talk(bound)).text).toBe(
      'Deployment of v2.5.0 to staging completed successfully!\nURL: https://staging.example.com\nDuration: 8 minutes 12 seconds.',
    );
  });

  it('the batch with names, counts and duration, and what went wrong in it', async () => {
    const talk = await stage();
    const { calls } = await talk(user('create users Alice and Bob'));
    const result = {
      status: 'completed',
      total_requested: 2,
      successful: 2,
      failed: 0,
      created_users: [
        { id: 'user_1', ...named('Alice') },
        { id: 'user_2', ...named('Bob') },
      ],
      duration_seconds: 1.04,
      message: 'Batch creation completed: 2 successful, 0 failed',
    };
    const done = (value: unknown) =>
      response(first(calls).id, 'batch_create_users_async', {
        ...task(calls),
        value: shown(value),
      });
    expect((await talk(done(result))).text).toBe(
      'All 2 users are created: Alice and Bob. It took 1 second.',
    );
    const other = await stage();
    const again = await other(user('create users Alice and Bob'));
    const partly = {
      ...result,
      successful: 1,
      failed: 1,
      created_users: [result.created_users[0]],
    };
    const ended = response(first(again.calls).id, 'batch_create_users_async', {
      ...task(again.calls),
      value: shown(partly),
    });
    expect((await other(ended)).text).toBe(
      '1 of 2 users are created: Alice. 1 entry had no valid data. It took 1 second.',
    );
  });

  it('the head of a batch that is too long to be shown', async () => {
    const talk = await stage();
    const { calls } = await talk(user('create 100 users'));
    const users = Array.from({ length: 3 }, (_, n) => ({ id: `user_${n}`, ...named(`Name${n}`) }));
    const json = `{"status":"completed","total_requested":100,"successful":100,"failed":0,"created_users":${JSON.stringify(users).slice(0, -1)},{"id":"us`;
    const value = { json, bytes: 9000, cut: true };
    const ended = response(first(calls).id, 'batch_create_users_async', { ...task(calls), value });
    expect((await talk(ended)).text).toBe(
      'All 100 users are created: Name0, Name1, Name2 and 97 more.',
    );
  });

  it('progress in the middle of a conversation, and the end as an event', async () => {
    const talk = await stage();
    const { text, calls } = await talk(user('install redis and update me every 25%'));
    expect(text).toBe('Installing redis. I will report on the way; just go on talking meanwhile.');
    const { id } = first(calls);
    const hello = await talk(placeholder(id, 'install_package'), user('Hello'));
    expect(hello.text).toBe(
      'Hello! What shall I do for you? (The installation of redis is still under way.)',
    );
    const half = await talk(event(id, 'working 50%', 'Downloaded redis', { kind: 'progress' }));
    expect(half.text).toBe('The installation of redis is at 50% (Downloaded redis).');
    const value = shown({
      status: 'installed',
      package: 'redis',
      stages: ['Downloaded', 'Linked'],
    });
    const end = event(id, 'completed', value.json, { end: { status: 'completed', value } });
    const both = await talk(user('what is 2 + 2?'), end);
    expect(both.text).toBe('That makes 4.\n\nredis is installed: downloaded and linked.');
    expect((await talk(user('how far is it?'))).text).toBe('Nothing is under way.');
  });

  it('how far it is, after a look at the task', async () => {
    const talk = await stage();
    const { calls } = await talk(user('install redis'));
    const { id } = first(calls);
    const asked = await talk(placeholder(id, 'install_package'), user('How far is it?'));
    expect(asked.text).toBe('');
    const look = first(asked.calls);
    expect(look).toMatchObject({ name: 'get_task', arguments: { task_id: `task_${id}` } });
    const view = {
      task_id: `task_${id}`,
      tool: 'install_package',
      status: 'working',
      progress: { percent: 25, message: 'Resolved dependencies redis' },
    };
    const told = await talk(response(look.id, 'get_task', { value: shown(view) }));
    expect(told).toEqual({
      text: 'The installation of redis is at 25% (Resolved dependencies redis).',
      calls: [],
    });
  });

  it('nothing twice: news of a task answers the question for it', async () => {
    const talk = await stage();
    const { calls } = await talk(user('install redis'));
    const { id } = first(calls);
    const half = event(id, 'working 50%', 'Downloaded redis', { kind: 'progress' });
    const asked = await talk(placeholder(id, 'install_package'), user('how far is it?'), half);
    const words = 'The installation of redis is at 50% (Downloaded redis).';
    expect(asked).toEqual({ text: words, calls: [] });
    const greeted = await talk(user('thanks'), half);
    expect(greeted.text).toBe(`You are welcome!\n\n${words}`);
    const value = shown({ status: 'installed', package: 'redis', stages: [] });
    const end = event(id, 'completed', value.json, { end: { status: 'completed', value } });
    const over = await talk(user('is it done yet?'), end);
    expect(over).toEqual({ text: 'redis is installed.', calls: [] });
  });

  it('that a call was cancelled, once', async () => {
    const talk = await stage();
    const { calls } = await talk(user('install redis and deploy v2.5.0 to staging'));
    const [redis, deployment] = calls;
    if (!redis || !deployment) throw new Error('two calls were expected');
    const asked = await talk(
      placeholder(redis.id, 'install_package'),
      placeholder(deployment.id, 'deploy_to_staging'),
      user('cancel the install'),
    );
    const cancel = first(asked.calls);
    expect(cancel).toMatchObject({
      name: 'cancel_task',
      arguments: { task_id: `task_${redis.id}` },
    });
    const view = { task_id: `task_${redis.id}`, tool: 'install_package', status: 'cancelled' };
    const told = await talk(
      response(cancel.id, 'cancel_task', { value: shown(view) }),
      event(redis.id, 'cancelled', 'this tool call was cancelled', {
        end: { status: 'cancelled' },
      }),
    );
    expect(told.text).toBe('The installation of redis is cancelled.');
    const newest = await talk(user('cancel it'));
    expect(first(newest.calls).arguments).toEqual({ task_id: `task_${deployment.id}` });
  });

  it.each([
    [
      'tool_failed',
      'npm says no',
      'The installation of redis failed: npm says no. Shall I try again?',
    ],
    [
      'timed_out',
      'Too late.',
      'The installation of redis ran out of time: Too late. Shall I try again?',
    ],
    [
      'outcome_unknown',
      'The worker died.',
      'I lost sight of the installation of redis: The worker died. Please check before starting it again.',
    ],
  ] as const)('a failure in plain words: %s', async (code, message, words) => {
    const talk = await stage();
    const { calls } = await talk(user('install redis'));
    const failed = response(first(calls).id, 'install_package', {
      ...task(calls),
      status: 'failed',
      error: { code, message },
    });
    expect((await talk(failed)).text).toBe(words);
    const again = await talk(user(code === 'outcome_unknown' ? 'try again' : 'yes please'));
    expect(first(again.calls)).toMatchObject({
      name: 'install_package',
      arguments: { package: 'redis' },
    });
    expect(first(again.calls).id).not.toBe(first(calls).id);
  });

  it('who the users are, and offers to make some', async () => {
    const talk = await stage();
    const { calls } = await talk(user('list users'));
    const none = await talk(
      response(first(calls).id, 'list_users', { value: shown({ users: [] }) }),
    );
    expect(none.text).toBe('There are no users yet. Shall I create some?');
    const made = await talk(user('yes'));
    expect(first(made.calls).name).toBe('batch_create_users_async');
    const other = await stage();
    const listing = await other(user('who are my users?'));
    const value = shown({ users: [{ id: 'user_1', ...named('Ada') }] });
    const told = await other(response(first(listing.calls).id, 'list_users', { value }));
    expect(told.text).toBe('You have 1 user: Ada (ada@example.com).');
  });

  it('each of several results, and a late correction', async () => {
    const talk = await stage();
    const { calls } = await talk(user('use render with {}'));
    const { id } = first(calls);
    await talk(placeholder(id, 'render'), user('ok'));
    const part = await talk(event(id, 'working 1 of 3', '"frame one"', { kind: 'partial' }));
    expect(part.text).toBe('Render has brought result 1 of 3: "frame one".');
    const late = await talk(
      event(id, 'correction completed', '{"ok":true}', { kind: 'correction' }),
    );
    expect(late.text).toBe('A late word on render: in the end it was done after all (ok: true).');
  });

  it('what a quick tool refused, and that a tool is missing', async () => {
    const talk = await stage();
    const { calls } = await talk(user('delete user user_9'));
    const error = {
      code: 'tool_failed',
      message: 'There is no user with the id "user_9".',
    } as const;
    const failed = response(first(calls).id, 'delete_user', { status: 'failed', error });
    expect((await talk(failed)).text).toBe(
      'delete_user did not work: There is no user with the id "user_9".',
    );
    const model = await models({}, { sleep: async () => undefined })(undefined);
    const bare = await model.generate(request([user('create 5 users')], { tools: [] }));
    expect(bare).toMatchObject({
      reply: { text: 'This session has no tool named batch_create_users_async.', calls: [] },
    });
  });
});

/** A long-running call's response names its task. */
const task = (calls: readonly ModelCall[]) => {
  const { taskId } = placeholder(first(calls).id, '');
  return taskId === undefined ? {} : { taskId };
};
