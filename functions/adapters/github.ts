import { FatalError } from '../core/author-errors.ts';
import type { GitHub } from '../ports.ts';
import { wrongSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const apiDefault = 'https://api.github.com';
const timeoutMs = 15_000;
/** More than were dispatched since the task began, in any sane repository. */
const runsPage = 100;

/** The workflow that deployments are dispatched to: all three settings, or none of it. */
export function readGitHub(env: Environment): GitHub | undefined {
  const { GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW: workflow, GITHUB_TOKEN: token } = env;
  if (!repository || !workflow || !token) return undefined;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw wrongSetting(`GITHUB_REPOSITORY must read owner/name, not "${repository}".`);
  }
  const api = (env.GITHUB_API_URL || apiDefault).replace(/\/+$/, '');
  if (!URL.canParse(api)) throw wrongSetting(`GITHUB_API_URL must be an address, not "${api}".`);
  const actions = `${api}/repos/${repository}/actions`;
  const ref = env.GITHUB_REF || 'main';
  return {
    repository,
    workflow,
    async dispatch(inputs, signal) {
      const path = `${actions}/workflows/${encodeURIComponent(workflow)}/dispatches`;
      await ask(path, token, { method: 'POST', body: JSON.stringify({ ref, inputs }), signal });
    },
    async runs(signal) {
      const path = `${actions}/runs?event=workflow_dispatch&per_page=${runsPage}`;
      const answer = await ask(path, token, { signal });
      const found: unknown = await answer.json();
      const runs = (found as { readonly workflow_runs?: unknown } | null)?.workflow_runs;
      return Array.isArray(runs) ? runs : [];
    },
  };
}

/** What GitHub refuses for good is told as such; anything else is worth another try. */
async function ask(url: string, token: string, init: RequestInit): Promise<Response> {
  const limit = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'boomerang',
      'x-github-api-version': '2022-11-28',
    },
  });
  if (answer.ok) return answer;
  await answer.body?.cancel();
  const sentence = `GitHub answered ${answer.status} to ${init.method ?? 'GET'} ${new URL(url).pathname}.`;
  const isLimit = answer.status === 429 || answer.headers.get('x-ratelimit-remaining') === '0';
  throw answer.status < 500 && !isLimit ? new FatalError(sentence) : new Error(sentence);
}
