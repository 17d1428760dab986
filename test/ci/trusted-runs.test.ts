import { describe, expect, it } from 'vitest';
import { readIssuers } from '../../functions/adapters/ci-settings.ts';

describe('the settings of trusted runs', () => {
  it('name a system’s own issuer, and pin by ids', () => {
    expect(readIssuers({ CI_OIDC_GITHUB: 'repository_id:1,2 repository_owner_id:3' })).toEqual([
      {
        provider: 'github',
        issuer: 'https://token.actions.githubusercontent.com',
        pins: [
          { claim: 'repository_id', values: ['1', '2'] },
          { claim: 'repository_owner_id', values: ['3'] },
        ],
      },
    ]);
    expect(readIssuers({})).toEqual([]);
  });

  it.each([
    { CI_OIDC_GITHUB: 'repository:acme/app' },
    { CI_OIDC_GITHUB: 'acme/app' },
    { CI_OIDC_GITHUB: 'repository_id:' },
    { CI_OIDC_GITHUB: 'repository_id:*' },
    { CI_OIDC_CIRCLECI: 'oidc.circleci.com/project-id:1' },
    { CI_OIDC_GITLAB: 'project_id:1', CI_OIDC_GITLAB_ISSUER: 'http://gitlab.example' },
  ])('are refused when they trust too much: %o', (env) => {
    expect(() => readIssuers(env)).toThrow(/CI_OIDC_\w+ must/);
  });
});
