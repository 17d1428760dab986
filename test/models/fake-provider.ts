import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A provider on this machine: it speaks a real wire, judges every history, and counts. */
export interface FakeProvider {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** What to do with the next requests, in order; then it answers "Hello." */
  plan(...plans: readonly Plan[]): void;
  close(): Promise<void>;
}

export interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** What came over a wire: a fake reads it field by field, and a field that is not there is its finding. */
export type Json = ReturnType<typeof JSON.parse>;

/** What the model says, whatever the wire. */
export interface Words {
  readonly thinking?: string;
  readonly text?: string;
  /** A text as input is sent as it is, JSON or not. */
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number };
  readonly stop?: 'length' | 'filter';
}

export type Plan =
  | { readonly kind: 'say'; readonly words: Words }
  | {
      readonly kind: 'fail';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'hang' | 'garbage' | 'break off' | 'cut wire' | 'overload mid-way' };

export interface Wire {
  /** Whether the request carries credentials, and whose they are to be called when refused. */
  accepts(request: FakeRequest): boolean;
  /** In the provider's own words, why it does not take the request. */
  illegality(request: FakeRequest): string | undefined;
  errorBody(status: number, message: string): Json;
  /** The whole stream of an answer, frame by frame. */
  frames(words: Words, request: FakeRequest): readonly (string | Uint8Array)[];
  readonly contentType: string;
  /** A frame that tells of overload inside a stream that began well. */
  overloadFrame(): string | Uint8Array;
}

export const testKey = 'sk-test-0123456789abcdef';

export async function startFake(wire: Wire): Promise<FakeProvider> {
  const requests: FakeRequest[] = [];
  const plans: Plan[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const { url = '', headers } = incoming;
      const request: FakeRequest = { path: url, headers, body: JSON.parse(body || '{}') };
      requests.push(request);
      answer(wire, request, plans.shift() ?? { kind: 'say', words: { text: 'Hello.' } }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    plan: (...more) => void plans.push(...more),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(wire: Wire, request: FakeRequest, plan: Plan, response: ServerResponse): void {
  const refuse = (status: number, message: string, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(wire.errorBody(status, message)));
  };
  if (plan.kind === 'fail') {
    return refuse(plan.status, plan.message ?? 'It does not work.', plan.headers);
  }
  // Providers repeat the key they were given, or most of it.
  if (!wire.accepts(request)) return refuse(401, `Incorrect API key provided: ${testKey}.`);
  const illegality = wire.illegality(request);
  if (illegality !== undefined) return refuse(400, illegality);
  if (plan.kind === 'hang') return;
  response.writeHead(200, { 'content-type': wire.contentType });
  if (plan.kind === 'say') return write(response, wire.frames(plan.words, request));
  return misbehave(wire, request, plan.kind, response);
}

function misbehave(
  wire: Wire,
  request: FakeRequest,
  how: Exclude<Plan['kind'], 'say' | 'fail' | 'hang'>,
  response: ServerResponse,
): void {
  const [first = '', second = '', third = ''] = wire.frames({ text: 'Half a sentence' }, request);
  switch (how) {
    case 'garbage':
      return write(response, ['data: {"what is this', '\n\n', '<html>']);
    case 'break off':
      return write(response, [first, second]);
    case 'cut wire':
      for (const frame of [first, second, third]) response.write(frame);
      setTimeout(() => response.destroy(), 20);
      return;
    case 'overload mid-way':
      return write(response, [first, wire.overloadFrame()]);
  }
}

function write(response: ServerResponse, frames: readonly (string | Uint8Array)[]): void {
  for (const frame of frames) response.write(frame);
  response.end();
}

export const sse = (data: Json, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A text in two pieces, so that streaming can be seen. */
export const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
};

export const inputText = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

/** The first flaw found. */
export function firstFlaw(...checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const flaw = check();
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

export const repeated = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) !== index);
