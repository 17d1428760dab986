import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readGitHub } from '../../functions/adapters/github.ts';
import { githubRun, type RunFacts } from './webhooks.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: Dispatch | undefined;
}

interface Dispatch {
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** As much of GitHub's API as a dispatch needs: it begins runs, and shows them. */
export async function fakeGitHub() {
  const asked: Asked[] = [];
  const runs: object[] = [];
  /** Statuses that come before it works again. */
  const failing: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? undefined : (JSON.parse(text) as Dispatch);
      const { method = '', url: path = '' } = request;
      asked.push({ method, path, token: request.headers.authorization, body });
      const status = failing.shift();
      if (status !== undefined) return response.writeHead(status).end('{}');
      if (method === 'POST') return response.writeHead(204).end();
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ total_count: runs.length, workflow_runs: runs }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_WORKFLOW: 'deploy.yml',
    GITHUB_TOKEN: 'ghp_a-token',
    GITHUB_API_URL: url,
  };
  return {
    asked,
    failing,
    env,
    github: readGitHub(env, { sleep: async () => {} }),
    /** Show a run as the API does: like the webhook's, without what is around it. */
    show: (facts: RunFacts) => void runs.splice(0, 1, githubRun(facts).workflow_run),
    close: () => void server.close(),
  };
}
