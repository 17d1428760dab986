import { describe, expect, it } from 'vitest';
import { models } from '../../functions/adapters/models.ts';
import type { Entry } from '../../functions/core/entry.ts';
import { describeLongRunning } from '../../functions/core/guidance.ts';
import { illegalities } from '../../functions/core/legality.ts';
import type { ModelCall } from '../../functions/core/model.ts';
import {
  assistant,
  event,
  placeholder,
  request,
  response,
  shown,
  tool,
  user,
} from './sample-history.ts';

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
async function stage() {
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

const say = async (text: string) => (await stage())(user(text));
const first = (calls: readonly ModelCall[]): ModelCall => {
  const [call] = calls;
  if (!call) throw new Error('no call was made');
  return call;
};
const named = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com` });

describe('the demo understands', () => {
  const batch = (...names: readonly string[]) => ({
    name: 'batch_create_users_async',
    arguments: { users_data: names.map(named) },
  });
  const deploy = (version: string) => ({
    name: 'deploy_to_staging',
    arguments: { version, environment: 'staging' },
  });
  const install = (name: string, more = {}) => ({
    name: 'install_package',
    arguments: { package: name, ...more },
  });

  it.each([
    ['create 5 users', [batch('Ada', 'Ben', 'Clara', 'David', 'Elif')]],
    ['Please create two users for testing', [batch('Ada', 'Ben')]],
    ['I need 2 new users', [batch('Ada', 'Ben')]],
    ['Create users Alice, Bob and Carol.', [batch('Alice', 'Bob', 'Carol')]],
    ['create the users alice and bob', [batch('Alice', 'Bob')]],
    ['Deploy v2.5.0 to staging', [deploy('v2.5.0')]],
    ['deploy version 2.5.0-rc.1 to staging, please', [deploy('2.5.0-rc.1')]],
    ['install redis and update me every 25%', [install('redis')]],
    ['Install the package left-pad.', [install('left-pad')]],
    [
      'install redis, nginx and postgres',
      [install('redis'), install('nginx'), install('postgres')],
    ],
    ['install redis in 20 seconds', [install('redis', { duration_s: 20 })]],
    ['run the installer and update me every 25%', [install('demo-package')]],
    ['create 2 users and deploy v2.5.0 to staging', [batch('Ada', 'Ben'), deploy('v2.5.0')]],
    ['deploy v1.2.3 to staging, then install redis', [deploy('v1.2.3'), install('redis')]],
    ['list users', [{ name: 'list_users', arguments: {} }]],
    ['Who are my users?', [{ name: 'list_users', arguments: {} }]],
    ['list my tasks', [{ name: 'list_tasks', arguments: { limit: 5 } }]],
    [
      'add a user named Zoë',
      [{ name: 'create_user', arguments: { name: 'Zoë', email: 'zoe@example.com' } }],
    ],
    [
      'create a user named Zoe with email zoe@x.io',
      [{ name: 'create_user', arguments: { name: 'Zoe', email: 'zoe@x.io' } }],
    ],
    ['delete all users', [{ name: 'delete_all_users', arguments: {} }]],
    ['delete user user_0a1b', [{ name: 'delete_user', arguments: { id: 'user_0a1b' } }]],
    ['wait 5 seconds', [{ name: 'demo_wait', arguments: { seconds: 5, progress: 4 } }]],
    ['use render with {"frames": 3}', [{ name: 'render', arguments: { frames: 3 } }]],
  ])('%s', async (text, calls) => {
    const said = await say(text);
    expect(said.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(
      calls,
    );
  });

  it('a delay and addresses', async () => {
    const { calls } = await say('create users Ann <ann@corp.io> and Bob Ray, at 2 seconds each');
    expect(first(calls).arguments).toEqual({
      users_data: [
        { name: 'Ann', email: 'ann@corp.io' },
        { name: 'Bob Ray', email: 'bob.ray@example.com' },
      ],
      delay: 2,
    });
  });

  it.each([
    ['hi', /^Hello!/],
    ['thanks a lot', /welcome/],
    ['what is 17 * 23?', /391/],
    ['tell me a joke', /boomerang/],
    ['help', /- create 5 users\n- deploy v2\.5\.0 to staging/],
    ['make me a sandwich', /You could say/],
    ['deploy to staging', /Which version\?/],
    ['deploy v2.5.0 to production', /staging only/],
    ['install it', /Which package\?/],
    ['create 0 users', /how many/],
    ['how far is it?', /Nothing is under way/],
    ['cancel it', /nothing to cancel/],
    ["please don't stop", /not dream/],
    ['use render with {frames}', /JSON object/],
  ])('%s, and only talks', async (text, words) => {
    const said = await say(text);
    expect(said.calls).toEqual([]);
    expect(said.text).toMatch(words);
  });

  it('what is said in a long text without getting lost in it', async () => {
    const startedAtMs = Date.now();
    for (const noise of [
      ' ',
      'a ',
      'A ',
      'install , ',
      'use {',
      'add user ',
      'is the ',
      '1 ',
      'x@',
    ]) {
      await say(`create ${noise.repeat(65_536 / noise.length)}`);
    }
    expect(Date.now() - startedAtMs).toBeLessThan(2000);
  });
});

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
