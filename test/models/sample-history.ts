import type {
  AssistantEntry,
  Entry,
  EventEntry,
  ResponseEntry,
} from '../../functions/core/entry.ts';
import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import type { ModelRequest, ModelTool } from '../../functions/core/model.ts';
import type { ShownValue } from '../../functions/core/turn.ts';

/** Entries of a history, short to write. Each is a millisecond later than the one before. */
let clockMs = 1_700_000_000_000;
const atMs = () => (clockMs += 1);

export const system = (text: string): Entry => ({ role: 'system', text, atMs: atMs() });
export const user = (text: string): Entry => ({
  role: 'user',
  text,
  atMs: atMs(),
  trigger: 'user',
});

export const shown = (value: unknown): ShownValue => {
  const json = JSON.stringify(value);
  return { json, bytes: Buffer.byteLength(json), cut: false };
};

export interface SampleCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments?: unknown;
}

export const assistant = (
  text: string,
  calls: readonly SampleCall[] = [],
  parts?: unknown,
): AssistantEntry => ({
  role: 'assistant',
  text,
  calls: calls.map(({ id, tool, arguments: args = {} }) => ({
    callId: asCallId(id),
    tool,
    arguments: args,
  })),
  ...(parts === undefined ? {} : { parts }),
  atMs: atMs(),
});

type ResponseFacts = Partial<Omit<ResponseEntry, 'role' | 'callId' | 'tool' | 'atMs'>>;

export const response = (id: string, tool: string, facts: ResponseFacts = {}): ResponseEntry => ({
  role: 'tool',
  callId: asCallId(id),
  tool,
  status: 'completed',
  ...facts,
  atMs: atMs(),
});

export const placeholder = (id: string, tool: string, initial?: unknown): ResponseEntry =>
  response(id, tool, {
    status: 'working',
    taskId: asTaskId(`task_${id}`),
    ...(initial === undefined ? {} : { initial: shown(initial) }),
  });

export const event = (
  id: string,
  status: string,
  inside: string,
  facts: Partial<EventEntry> = {},
): EventEntry => ({
  role: 'event',
  text: `<task-event n0nce ${id} ${status}>${inside}</task-event>`,
  atMs: atMs(),
  trigger: 'task',
  callId: asCallId(id),
  sequence: 4,
  taskId: asTaskId(`task_${id}`),
  kind: 'end',
  ...facts,
});

/** The closing event of a call that had shown its placeholder. */
export const endEvent = (id: string, value: unknown): EventEntry =>
  event(id, 'completed', JSON.stringify(value), {
    end: { status: 'completed', value: shown(value) },
  });

export const tool = (name: string, more: Partial<ModelTool> = {}): ModelTool => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: { version: { type: 'string' } } },
  ...more,
});

/** A request, and what was heard of it while it was answered. */
export function request(
  entries: readonly Entry[],
  more: Partial<ModelRequest> = {},
): ModelRequest & { readonly pieces: readonly string[] } {
  const pieces: string[] = [];
  return {
    entries,
    tools: [tool('deploy_to_staging'), tool('list_users')],
    signal: new AbortController().signal,
    onText: (piece) => void pieces.push(piece),
    pieces,
    ...more,
  };
}
