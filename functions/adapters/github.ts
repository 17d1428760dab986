import { FatalError } from '../core/author-errors.ts';
import type { Clock, GitHub } from '../ports.ts';
import { systemClock } from './process.ts';
import { wrongSetting } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const apiDefault = 'https://api.github.com';
const timeoutMs = 15_000;
/** More than were dispatched since the task began, in any sane repository. */
const runsPage = 100;

/** The workflow that deployments are dispatched to: all three settings, or none of it. */
export function readGitHub(
  env: Environment,
  clock: Pick<Clock, 'sleep'> = systemClock,
): GitHub | undefined {
  const { GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW: workflow, GITHUB_TOKEN: token } = env;
  if (!repository || !workflow || !token) return undefined;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw wrongSetting(`GITHUB_REPOSITORY must read owner/name, not "${repository}".`);
  }
  const api = (env.GITHUB_API_URL || apiDefault).replace(/\/+$/, '');
  if (!URL.canParse(api)) throw wrongSetting(`GITHUB_API_URL must be an address, not "${api}".`);
  const path = encodeURIComponent(workflow);
  const actions = `${api}/repos/${repository}/actions/workflows/${path}`;
  const ref = env.GITHUB_REF || 'main';
  return {
    repository,
    workflow,
    async dispatch(inputs, signal) {
      const body = JSON.stringify({ ref, inputs });
      await ask(`${actions}/dispatches`, token, { method: 'POST', body, signal });
    },
    pause: (ms, signal) => clock.sleep(ms, signal),
    async runs(signal) {
      const query = `runs?event=workflow_dispatch&per_page=${runsPage}`;
      const found: unknown = await (await ask(`${actions}/${query}`, token, { signal })).json();
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
  const asked = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
  const sentence = `GitHub answered ${answer.status} to ${asked}${await reasonIn(answer)}.`;
  const { headers } = answer;
  // A secondary limit is a 403 that says when to come again.
  const isLimit =
    answer.status === 429 ||
    headers.has('retry-after') ||
    headers.get('x-ratelimit-remaining') === '0';
  throw answer.status < 500 && !isLimit ? new FatalError(sentence) : new Error(sentence);
}

/** What it gives as the reason, if it does. */
async function reasonIn(answer: Response): Promise<string> {
  try {
    const said: unknown = await answer.json();
    const reason = (said as { readonly message?: unknown } | null)?.message;
    return typeof reason === 'string' && reason !== '' ? `: ${reason.slice(0, 160)}` : '';
  } catch {
    return '';
  }
}
