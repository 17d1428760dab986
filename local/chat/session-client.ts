import type { EntryView } from '../../functions/sessions/view-history.ts';
import type { SessionView } from '../../functions/sessions/view-session.ts';
import type { TaskView } from '../../functions/tasks/view-task.ts';
import { startProblem } from '../start-problem.ts';

export interface Server {
  readonly url: string;
  readonly key: string | undefined;
}

/** One session of a running server, over HTTP. */
export interface SessionClient {
  readonly server: Server;
  readonly sessionId: string;
  readonly eventsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  view(): Promise<SessionView>;
  history(): Promise<readonly EntryView[]>;
  task(taskId: string): Promise<TaskView>;
  /** Refused in words, or nothing. The same id again is the same input. */
  say(text: string, inputId: string): Promise<string | undefined>;
  cancel(callId: string): Promise<string | undefined>;
}

/** Make a session, or come back to one; what stands in the way is said in one sentence. */
export async function openSession(server: Server, given?: string): Promise<SessionClient> {
  await requireServer(server);
  const ask = askOf(server);
  const found = await (given ? ask(`/v1/sessions/${given}`) : ask('/v1/sessions', {}));
  if (found.status === 401) {
    throw startProblem(
      `Boomerang at ${server.url} wants a key: npm run chat -- --key <key>, with one of its API_KEYS.`,
    );
  }
  if (found.status >= 400) throw startProblem(`There is no session: ${problemIn(found)}`);
  return clientOf(server, String(found.json.session_id));
}

async function requireServer({ url }: Server): Promise<void> {
  const answer = await fetch(`${url}/health`).catch(() => undefined);
  if (!answer) {
    throw startProblem(
      `No Boomerang answers at ${url}: start one with "npm start" in another terminal, or give its address with --url.`,
    );
  }
  if (!answer.ok) throw startProblem(`What answers at ${url} is no Boomerang.`);
}

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

type Ask = (path: string, body?: unknown) => Promise<Answer>;

const headersFor = ({ key }: Server) => (key ? { authorization: `Bearer ${key}` } : {});

function askOf(server: Server): Ask {
  return async (path, body) => {
    const headers = { ...headersFor(server), 'content-type': 'application/json' };
    const post = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${path}`, body === undefined ? { headers } : post);
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  };
}

function clientOf(server: Server, sessionId: string): SessionClient {
  const ask = askOf(server);
  const path = `/v1/sessions/${sessionId}`;
  const get = async (from: string): Promise<unknown> => {
    const answer = await ask(from);
    if (answer.status >= 400) throw new Error(problemIn(answer));
    return answer.json;
  };
  const post = async (to: string, body: unknown): Promise<string | undefined> => {
    const answer = await ask(to, body);
    return answer.status >= 400 ? problemIn(answer) : undefined;
  };
  return {
    server,
    sessionId,
    eventsUrl: `${server.url}${path}/events`,
    headers: headersFor(server),
    view: async () => (await get(path)) as SessionView,
    history: async () =>
      ((await get(`${path}/history`)) as { readonly entries: readonly EntryView[] }).entries,
    task: async (taskId) => (await get(`/v1/tasks/${taskId}`)) as TaskView,
    say: (text, inputId) => post(`${path}/input`, { text, input_id: inputId }),
    cancel: (callId) => post(`${path}/calls/${encodeURIComponent(callId)}/cancel`, {}),
  };
}

function problemIn({ status, json }: Answer): string {
  const { detail } = json;
  return typeof detail === 'string' ? detail : `the server answered ${status}.`;
}
