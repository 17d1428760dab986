import type { SessionStatus } from '../../functions/core/session-status.ts';
import { callName, shortFields } from '../talk/short-words.ts';
import { progressBar } from '../talk/text-layout.ts';
import type { Face, RunningCall } from './face.ts';
import type { ToldEvent } from './follow-events.ts';
import type { SessionClient } from './session-client.ts';

/** What the events of a session have told so far. */
export interface Heard {
  readonly client: SessionClient;
  readonly face: Face;
  readonly ownInputs: Set<string>;
  readonly running: Map<string, RunningCall>;
  readonly arguments: Map<string, unknown>;
  turns: number;
  status: SessionStatus;
  spoken: { readonly turn: number; readonly text: string };
}

export async function tellEvent(heard: Heard, { event, data }: ToldEvent): Promise<void> {
  const { face } = heard;
  switch (event) {
    case 'input':
      if (!heard.ownInputs.has(data.input_id)) face.tell('you', data.text);
      return;
    case 'text_delta': {
      const before = heard.spoken.turn === data.turn ? heard.spoken.text : '';
      heard.spoken = { turn: data.turn, text: before + data.text };
      return face.speak(heard.spoken.text);
    }
    case 'turn':
      return tellTurn(heard, data);
    case 'call':
      return tellCall(heard, data);
    case 'progress':
      return tellProgress(heard, data);
    case 'task':
      return tellEnd(heard, data);
    case 'status':
      heard.status = data.status;
  }
}

type DataOf<Name extends ToldEvent['event']> = Extract<ToldEvent, { event: Name }>['data'];

function tellTurn(heard: Heard, { number, text, finish_reason: reason }: DataOf<'turn'>): void {
  const { face } = heard;
  heard.turns = number;
  face.speak('');
  if (text !== '') face.tell('model', text);
  if (reason === 'error') face.tell('failed', 'The model could not answer; the audit says why.');
  if (reason === 'max_turns')
    face.tell('note', '(The model made calls for too many turns in a row.)');
}

async function tellCall(heard: Heard, data: DataOf<'call'>): Promise<void> {
  const { call_id: callId, tool, task_id: taskId } = data;
  const { face, running } = heard;
  const args = await argumentsOf(heard, callId);
  face.tell('call', `${tool}  ${args === undefined ? '' : shortFields(args)}`.trimEnd());
  if (taskId === undefined) return;
  const name = callName(tool, args);
  const call = { callId, name, sinceMs: Date.now(), percent: undefined, message: '' };
  running.set(callId, { ...call, isCancelling: false });
  face.show([...running.values()]);
}

/** Events say which tool is called; with what stands in the history. */
async function argumentsOf(heard: Heard, callId: string): Promise<unknown> {
  if (!heard.arguments.has(callId)) {
    const entries = await heard.client.history();
    for (const { id, arguments: args } of entries.flatMap((entry) => entry.tool_calls ?? [])) {
      heard.arguments.set(id, args);
    }
  }
  return heard.arguments.get(callId);
}

function tellProgress({ running, face }: Heard, data: DataOf<'progress'>): void {
  const call = running.get(data.call_id);
  if (!call) return;
  call.percent = data.percent;
  call.message = data.message ?? '';
  face.tell('progress', `${progressBar(call.percent)}  ${call.name}  ${call.message}`.trimEnd());
  face.show([...running.values()]);
}

async function tellEnd({ client, running, face }: Heard, data: DataOf<'task'>): Promise<void> {
  const name = running.get(data.call_id)?.name ?? data.call_id;
  running.delete(data.call_id);
  face.show([...running.values()]);
  const { status, tool, result, error } = await client.task(data.task_id);
  const what = name === data.call_id ? tool : name;
  if (status === 'cancelled') return face.tell('cancelled', what);
  if (error) return face.tell('failed', `${what}  ${error.code}: ${error.message}`);
  face.tell('result', `${what}  ${shortFields(result)}`);
}
