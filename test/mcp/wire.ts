/** MCP as it goes over the wire, for what no client lets a test say. */

export interface Wire {
  readonly url: string;
  readonly key?: string;
  readonly client?: string;
  readonly capabilities?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly meta?: Record<string, unknown>;
  /** Cut the connection so long after its first bytes came. */
  readonly cutAfterMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly messages: readonly Message[];
  /** The last message: the answer. */
  readonly answer: Message;
}

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const tasksExtension = 'io.modelcontextprotocol/tasks';
export const declaring = { extensions: { [tasksExtension]: {} } };

const accept = 'application/json, text/event-stream';

function headersOf({ key, headers }: Wire): Record<string, string> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return { 'content-type': 'application/json', accept, ...authorization, ...headers };
}

type Params = Record<string, unknown>;

/** A request of 2026-07-28, with everything it must carry. */
export function modern(wire: Wire, method: string, params: Params = {}): Promise<Reply> {
  const version = '2026-07-28';
  const named = params.name ?? params.taskId ?? params.uri;
  const headers = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof named === 'string' ? { 'mcp-name': headerText(named) } : {}),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: wire.client ?? 'a test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': wire.capabilities ?? {},
    ...wire.meta,
  };
  const all = { ...wire, headers: { ...headers, ...wire.headers } };
  return post(all, { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } });
}

/** What a header cannot carry as it is goes as base64. */
const headerText = (text: string) =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** A request of 2025-11-25 or, if its headers say so, an older one. */
export function legacy(wire: Wire, method: string, params: Params = {}): Promise<Reply> {
  const headers = { 'mcp-protocol-version': '2025-11-25', ...wire.headers };
  const _meta = wire.meta === undefined ? {} : { _meta: wire.meta };
  return post(
    { ...wire, headers },
    { jsonrpc: '2.0', id: 7, method, params: { ...params, ..._meta } },
  );
}

/** The messages of one stream of 2025-11-25 as they come; it ends with its connection. */
export async function* legacyStream(
  wire: Wire,
  method: string,
  params: Params,
): AsyncGenerator<Message, void> {
  const headers = { ...headersOf(wire), 'mcp-protocol-version': '2025-11-25' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
  const response = await fetch(`${wire.url}/mcp`, { method: 'POST', headers, body });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.lastIndexOf('\n\n') + 1;
    yield* messagesIn(text.slice(0, whole));
    text = text.slice(whole);
  }
}

export async function post(wire: Wire, body: unknown): Promise<Reply> {
  const cutting = new AbortController();
  const { signal } = cutting;
  const request = { method: 'POST', headers: headersOf(wire), body: JSON.stringify(body), signal };
  const response = await fetch(`${wire.url}/mcp`, request);
  if (wire.cutAfterMs !== undefined) setTimeout(() => cutting.abort(), wire.cutAfterMs);
  return readReply(response);
}

/** Come back for a stream by the last event id that was seen. */
export async function comeBack(wire: Wire, lastId: string): Promise<Reply> {
  const headers = { ...headersOf(wire), 'last-event-id': lastId };
  return readReply(await fetch(`${wire.url}/mcp`, { headers }));
}

async function readReply(response: Response): Promise<Reply> {
  const text = await readText(response);
  const messages = messagesIn(text);
  return {
    status: response.status,
    text,
    headers: response.headers,
    messages,
    answer: messages.at(-1) ?? {},
  };
}

/** As much as came before the connection was cut. */
async function readText(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // Cut: what was read counts.
  }
  return text;
}

export const eventIdsIn = (text: string) =>
  [...text.matchAll(/^id: (.+)$/gm)].map(([, eventId]) => eventId ?? '');

function messagesIn(text: string): readonly Message[] {
  if (text === '') return [];
  if (text.startsWith('{')) return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Message);
}
