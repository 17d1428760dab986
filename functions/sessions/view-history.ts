import type { AssistantEntry, Entry, ResponseEntry } from '../core/entry.ts';
import { offerOf } from '../core/offer.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { SessionKey } from '../core/session.ts';
import type { Call, ShownValue, Trigger } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { lookAtSession } from './look-at-session.ts';
import { sessionHistory } from './session-history.ts';

type Needs = Pick<Ports, 'sessions' | 'tasks' | 'objects' | 'tools'>;

/** One line of the history as the wire shows it. */
export interface EntryView {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text?: string;
  readonly tool_calls?: readonly CallView[];
  readonly tool_response?: ResponseView;
  readonly event?: { readonly call_id: string; readonly sequence: number };
  readonly trigger?: Trigger;
  readonly at: string;
}

interface CallView {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface ResponseView {
  readonly call_id: string;
  readonly name: string;
  readonly status: ResponseEntry['status'];
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly initial?: unknown;
}

/** The history as last sent to the model, followed by the reply to it. */
export async function viewHistory(
  ports: Needs,
  key: SessionKey,
): Promise<Result<readonly EntryView[]>> {
  const look = await lookAtSession(ports, key);
  if (!look) return refuse({ reason: 'session_not_found' });
  const entries = sessionHistory(look, offerOf(look.session, ports.tools));
  return ok(entries.filter(isSaid).map(showEntry));
}

/** Without words of its own a session has no system entry to show. */
const isSaid = (entry: Entry) => entry.role !== 'system' || entry.text !== '';

function showEntry(entry: Entry): EntryView {
  const at = new Date(entry.atMs).toISOString();
  switch (entry.role) {
    case 'system':
      return { role: 'system', text: entry.text, at };
    case 'user':
      return { role: 'user', text: entry.text, trigger: entry.trigger, at };
    case 'event': {
      const { text, callId, sequence, trigger } = entry;
      return { role: 'user', text, event: { call_id: callId, sequence }, trigger, at };
    }
    case 'assistant':
      return { role: 'assistant', ...showReply(entry), at };
    case 'tool':
      return { role: 'tool', tool_response: showResponse(entry), at };
  }
}

const showReply = ({ text, calls }: AssistantEntry): Pick<EntryView, 'text' | 'tool_calls'> => ({
  ...(text === '' ? {} : { text }),
  ...(calls.length > 0 ? { tool_calls: calls.map(showCall) } : {}),
});

const showCall = ({ callId, tool, arguments: given }: Call): CallView => ({
  id: callId,
  name: tool,
  arguments: given,
});

const showResponse = ({ callId, tool, status, ...said }: ResponseEntry): ResponseView => ({
  call_id: callId,
  name: tool,
  status,
  ...(said.value ? { result: showValue(said.value) } : {}),
  ...(said.error ? { error: said.error } : {}),
  ...(said.initial ? { initial: showValue(said.initial) } : {}),
});

/** Of a value that was cut the model has seen the head only, which is no JSON any more. */
const showValue = ({ json, bytes, cut }: ShownValue): unknown =>
  cut ? { cut: true, bytes, head: json } : JSON.parse(json);
