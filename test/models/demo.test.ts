import { describe, expect, it } from 'vitest';
import { first, named, stage } from './demo-stage.ts';
import { user } from './sample-history.ts';

const say = async (text: string) => (await stage())(user(text));

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
