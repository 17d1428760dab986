import { describe, expect, test } from 'vitest';
import { readCiSecrets, readIssuers } from '../../functions/adapters/ci-settings.ts';
import { readSecretSettings } from '../../functions/adapters/ci-access.ts';
import { readGitHub } from '../../functions/adapters/github.ts';
import { actionsOf, resources, roomOf, statementsByRoom, synthesize } from './template.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ci-AbCdEf';

function environments(context: Record<string, string>) {
  const template = synthesize(context);
  const rooms = [...resources(template, 'AWS::Lambda::Function')].map(([id, { Properties }]) => {
    const { Variables = {} } = (Properties.Environment ?? {}) as {
      Variables?: Record<string, string>;
    };
    return [roomOf(id), Variables] as const;
  });
  const readers = [...statementsByRoom(template)].filter(([, statements]) =>
    statements.some(
      (one) =>
        [one.Resource].flat().includes(arn) &&
        actionsOf(one).includes('secretsmanager:GetSecretValue'),
    ),
  );
  return { rooms: Object.fromEntries(rooms), readers: readers.map(([room]) => room) };
}

describe('CI on AWS', () => {
  test('is not known when nothing is said', () => {
    const { rooms, readers } = environments({});
    expect(JSON.stringify(rooms)).not.toMatch(/CI_|GITHUB/);
    expect(readers).toEqual([]);
  });

  test('is known by a secret that the door and the worker read, and nobody else', () => {
    const { rooms, readers } = environments({
      publicUrl: 'https://boomerang.example',
      ciSecretArn: arn,
      ciOidcGithub: 'repository_id:1,2 repository_owner_id:3',
      githubRepository: 'acme/app',
      githubWorkflow: 'deploy.yml',
    });
    expect(readers.toSorted()).toEqual(['Api', 'Worker']);
    for (const room of ['Api', 'Worker']) expect(rooms[room]).toMatchObject({ CI_SECRET_ARN: arn });
    for (const room of ['Resume', 'Sweep']) expect(rooms[room]).not.toHaveProperty('CI_SECRET_ARN');
    expect(readIssuers(rooms.Api ?? {})).toMatchObject([{ provider: 'github', pins: [{}, {}] }]);
    // Whoever starts tasks knows that they can be asked about.
    for (const room of ['Api', 'Resume']) {
      expect(readGitHub(rooms[room] ?? {})).toMatchObject({ repository: 'acme/app' });
    }
    expect(rooms.Worker).not.toHaveProperty('GITHUB_TOKEN');
    // A run's token is for the address its callback has.
    expect(rooms.Worker?.PUBLIC_URL).toBe(rooms.Api?.PUBLIC_URL);
  });

  test.each([
    [
      { ciSecretArn: 'whsec_a-secret-itself' },
      'The context "ciSecretArn" must be the ARN of a secret',
    ],
    [
      { ciOidcGithub: 'acme/app' },
      'The context "ciOidcGithub" must pin ids, like repository_id:123',
    ],
    [
      { ciOidcGithub: 'repository_id:1' },
      'The context "ciOidc…" needs "publicUrl": tokens of runs are for an address',
    ],
    [{ githubRepository: 'app' }, 'The context "githubRepository" must read owner/name'],
  ])('stops a deployment that says %o, without repeating it', (context, sentence) => {
    expect(() => synthesize(context)).toThrow(new Error(sentence));
  });
});

describe('the CI secret', () => {
  test('holds settings by their names', () => {
    const settings = readSecretSettings('{"CI_SECRET_GITHUB":"a,b","GITHUB_TOKEN":"t"}');
    expect(readCiSecrets(settings).github).toEqual({ signing: ['a', 'b'], tokens: [] });
    expect(settings.GITHUB_TOKEN).toBe('t');
  });

  test.each(['', 'a secret', '[]', '{}', '"x"', '{"PATH":"x"}', '{"CI_SECRET_GITHUB":7}'])(
    'that reads %j stops the function, without being repeated',
    (json) => {
      const sentence = 'The CI secret must be JSON like {"CI_SECRET_GITHUB": "…"}.';
      expect(() => readSecretSettings(json)).toThrow(sentence);
    },
  );
});
