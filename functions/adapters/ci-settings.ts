import { isLoopback } from '../core/loopback.ts';
import { ciProviders, type CiProvider } from '../core/ci/report.ts';
import type { CiSecrets } from '../core/ci/signature.ts';
import { keylessProviders, type KeylessProvider } from '../core/ci/workload.ts';
import { wrongSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type CiSecretsByProvider = Readonly<Record<CiProvider, CiSecrets>>;

/** `CI_SECRET_GITHUB` signs, `CI_TOKEN_GITLAB` is only sent along; several with commas between them. */
export function readCiSecrets(env: Environment): CiSecretsByProvider {
  const list = (name: string) =>
    (env[name] ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const entries = ciProviders.map((provider) => {
    const name = provider.toUpperCase();
    return [provider, { signing: list(`CI_SECRET_${name}`), tokens: list(`CI_TOKEN_${name}`) }];
  });
  return Object.fromEntries(entries) as CiSecretsByProvider;
}

/** Claims by which a repository is pinned: ids, because a name can be given up and taken by another. */
const pinnable: Record<KeylessProvider, readonly string[]> = {
  github: ['repository_id', 'repository_owner_id'],
  gitlab: ['project_id', 'namespace_id'],
  circleci: ['oidc.circleci.com/project-id', 'oidc.circleci.com/org-id'],
  buildkite: ['pipeline_id', 'organization_id'],
};

/** CircleCI has an issuer for each organization, so it must be named. */
const issuers: Record<KeylessProvider, string | undefined> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
  circleci: undefined,
  buildkite: 'https://agent.buildkite.com',
};

export interface TrustedIssuer {
  readonly provider: KeylessProvider;
  readonly issuer: string;
  /** Each claim must have one of its values. */
  readonly pins: readonly { readonly claim: string; readonly values: readonly string[] }[];
}

/** `CI_OIDC_GITHUB=repository_id:123,456`; `CI_OIDC_GITHUB_ISSUER` where it is not the public one. */
export const readIssuers = (env: Environment): readonly TrustedIssuer[] =>
  keylessProviders.flatMap((provider) => {
    const name = `CI_OIDC_${provider.toUpperCase()}`;
    const text = env[name];
    if (!text) return [];
    const issuer = env[`${name}_ISSUER`] || issuers[provider];
    if (issuer === undefined || !isSafe(issuer)) {
      throw wrongSetting(`${name}_ISSUER must be the https:// address of the issuer.`);
    }
    return [{ provider, issuer, pins: readPins(name, text, pinnable[provider]) }];
  });

function readPins(name: string, text: string, claims: readonly string[]): TrustedIssuer['pins'] {
  return text
    .trim()
    .split(/\s+/)
    .map((pin) => {
      const [, claim = '', values = ''] = /^([^:,]+):([\w-]+(?:,[\w-]+)*)$/.exec(pin) ?? [];
      if (claims.includes(claim)) return { claim, values: values.split(',') };
      throw wrongSetting(`${name} must read ${claims[0]}:<id>,<id>, by ids and not by names.`);
    });
}

const isSafe = (url: string) => URL.canParse(url) && (url.startsWith('https:') || isLoopback(url));
