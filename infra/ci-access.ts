import type { Construct } from 'constructs';
import { contextText } from './context-text.ts';
import type { RoomFunction } from './room-function.ts';

const pins = /^[\w./-]+:[\w-]+(,[\w-]+)*( [\w./-]+:[\w-]+(,[\w-]+)*)*$/;
const https = /^https:\/\/\S+$/;

/** Whose runs are trusted, by `-c`, and the name under which the API reads it. */
const trusted = [
  ['ciOidcGithub', 'CI_OIDC_GITHUB', 'pin ids, like repository_id:123', pins],
  ['ciOidcGithubIssuer', 'CI_OIDC_GITHUB_ISSUER', 'be an https:// address', https],
  ['ciOidcGitlab', 'CI_OIDC_GITLAB', 'pin ids, like project_id:123', pins],
  ['ciOidcGitlabIssuer', 'CI_OIDC_GITLAB_ISSUER', 'be an https:// address', https],
  ['ciOidcCircleci', 'CI_OIDC_CIRCLECI', 'pin ids', pins],
  ['ciOidcCircleciIssuer', 'CI_OIDC_CIRCLECI_ISSUER', 'be an https:// address', https],
  ['ciOidcBuildkite', 'CI_OIDC_BUILDKITE', 'pin ids, like pipeline_id:…', pins],
  ['ciOidcBuildkiteIssuer', 'CI_OIDC_BUILDKITE_ISSUER', 'be an https:// address', https],
] as const;

/** The workflow that deployments are dispatched to. */
const workflow = [
  ['githubRepository', 'GITHUB_REPOSITORY', 'read owner/name', /^[\w.-]+\/[\w.-]+$/],
  ['githubWorkflow', 'GITHUB_WORKFLOW', 'be the file name of a workflow', /^[\w.-]+$/],
  ['githubRef', 'GITHUB_REF', 'be a branch or a tag', /^[\w./-]+$/],
  ['githubApiUrl', 'GITHUB_API_URL', 'be an https:// address', https],
] as const;

type Setting = readonly [context: string, name: string, must: string, form: RegExp];

const given = (scope: Construct, settings: readonly Setting[]): Record<string, string> =>
  Object.fromEntries(
    settings.flatMap(([context, name, must, form]) => {
      const text = contextText(scope, context, must, form);
      return text === undefined ? [] : [[name, text]];
    }),
  );

/** `-c ciSecretArn=…`: made by whoever deploys, JSON like {"CI_SECRET_GITHUB": "…", "GITHUB_TOKEN": "…"}. */
const secretArn = (scope: Construct) =>
  contextText(scope, 'ciSecretArn', 'be the ARN of a secret', /^arn:[\w-]+:secretsmanager:\S+$/);

/** The token of a run is for an address, and no template can tell a function its own. */
function trustedRuns(scope: Construct): Record<string, string> {
  const runs = given(scope, trusted);
  if (Object.keys(runs).length > 0 && !scope.node.tryGetContext('publicUrl')) {
    throw new Error('The context "ciOidc…" needs "publicUrl": tokens of runs are for an address');
  }
  return runs;
}

/** Let a room know its CI: the door whom to believe, the worker what to dispatch, each what is set at all. */
export function connectCi(room: RoomFunction, part: 'door' | 'worker' | 'starter'): void {
  const dispatched = given(room, workflow);
  const arn = secretArn(room);
  const settings = part === 'door' ? { ...dispatched, ...trustedRuns(room) } : dispatched;
  for (const [name, value] of Object.entries(settings)) room.addEnvironment(name, value);
  // Who only starts tasks must know that they can be asked about, and needs no token for that.
  if ('GITHUB_WORKFLOW' in dispatched && part !== 'worker')
    room.addEnvironment('GITHUB_TOKEN', 'the worker has it');
  if (arn === undefined || part === 'starter') return;
  room.addEnvironment('CI_SECRET_ARN', arn);
  room.allow(arn, 'secretsmanager:GetSecretValue');
}
