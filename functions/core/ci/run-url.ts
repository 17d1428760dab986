import type { KeylessProvider } from './workload.ts';

/** Where runs can be looked at, in the words of the claims that a token makes. CircleCI's make too few. */
const patterns: Record<KeylessProvider, string | undefined> = {
  github: '{host}/{repository}/actions/runs/{run_id}',
  gitlab: '{host}/{project_path}/-/pipelines/{pipeline_id}',
  buildkite: 'https://buildkite.com/{organization_slug}/{pipeline_slug}/builds/{build_number}',
  circleci: undefined,
};

type Claims = Readonly<Record<string, unknown>>;

/** The address of a run; nothing where its token does not tell it. */
export function runUrl(provider: KeylessProvider, claims: Claims): string | undefined {
  const known = { ...claims, host: hostOf(claims.iss) };
  let isWhole = true;
  const url = patterns[provider]?.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof known) => {
    const value: unknown = known[name];
    const isText = typeof value === 'string' || typeof value === 'number';
    isWhole &&= isText && value !== '';
    return isText ? String(value) : '';
  });
  return isWhole && url !== undefined && URL.canParse(url) ? url : undefined;
}

/** A server of one's own issues its tokens itself; GitHub's public issuer is no place to look at. */
function hostOf(issuer: unknown): string | undefined {
  if (typeof issuer !== 'string') return undefined;
  if (issuer === 'https://token.actions.githubusercontent.com') return 'https://github.com';
  return issuer.replace(/\/_services\/token$/, '').replace(/\/$/, '');
}
