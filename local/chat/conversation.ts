import type { SessionStatus } from '../../functions/core/session-status.ts';
import { progressBar } from '../talk/text-layout.ts';
import { callName, shortFields } from '../talk/short-words.ts';
import type { Face, RunningCall } from './face.ts';
import type { ToldEvent } from './follow-events.ts';
import type { SessionClient } from './session-client.ts';

/** What is known of a session from its events, shown as they come. */
export interface Conversation {
  /** Calls under way, oldest first. */
  readonly running: readonly RunningCall[];
  /** Number of the last turn that was told. */
  readonly turns: number;
  readonly status: SessionStatus;
  /** Words that were typed here need not be told again. */
  expectInput(inputId: string): void;
  hear(event: ToldEvent): void;
  /** Resolves when everything heard so far is told. */
  told(): Promise<void>;
  refresh(): void;
}

interface State {
  readonly client: SessionClient;
  readonly face: Face;
  readonly ownInputs: Set<string>;
  readonly running: Map<string, RunningCall>;
  readonly arguments: Map<string, unknown>;
  turns: number;
  status: SessionStatus;
  spoken: { readonly turn: number; readonly text: string };
}

export function converse(client: SessionClient, face: Face): Conversation {
  const state: State = {
    client,
    face,
    ownInputs: new Set(),
    running: new Map(),
    arguments: new Map(),
    turns: 0,
    status: 'idle',
    spoken: { turn: 0, text: '' },
  };
  // Some events need a look at the server; the next one waits, so that the order stays.
  let telling = Promise.resolve();
  return {
    get running() {
      return [...state.running.values()];
    },
    get turns() {
      return state.turns;
    },
    get status() {
      return state.status;
    },
    expectInput: (inputId) => void state.ownInputs.add(inputId),
    hear(event) {
      telling = telling
        .then(() => tellEvent(state, event))
        .catch((thrown: unknown) =>
          face.tell('note', `(${event.event} not told: ${String(thrown)})`),
        );
    },
    told: () => telling,
    refresh: () => face.show([...state.running.values()]),
  };
}

async function tellEvent(state: State, { event, data }: ToldEvent): Promise<void> {
  const { face } = state;
  switch (event) {
    case 'input':
      if (!state.ownInputs.has(data.input_id)) face.tell('you', data.text);
      return;
    case 'text_delta': {
      const before = state.spoken.turn === data.turn ? state.spoken.text : '';
      state.spoken = { turn: data.turn, text: before + data.text };
      return face.speak(state.spoken.text);
    }
    case 'turn':
      return tellTurn(state, data);
    case 'call':
      return tellCall(state, data);
    case 'progress':
      return tellProgress(state, data);
    case 'task':
      return tellEnd(state, data);
    case 'status':
      state.status = data.status;
  }
}

type DataOf<Name extends ToldEvent['event']> = Extract<ToldEvent, { event: Name }>['data'];

function tellTurn(state: State, { number, text, finish_reason: reason }: DataOf<'turn'>): void {
  const { face } = state;
  state.turns = number;
  face.speak('');
  if (text !== '') face.tell('model', text);
  if (reason === 'error') face.tell('failed', 'The model could not answer; the audit says why.');
  if (reason === 'max_turns')
    face.tell('note', '(The model made calls for too many turns in a row.)');
}

async function tellCall(state: State, data: DataOf<'call'>): Promise<void> {
  const { call_id: callId, tool, task_id: taskId } = data;
  const { face, running } = state;
  const args = await argumentsOf(state, callId);
  face.tell('call', `${tool}  ${args === undefined ? '' : shortFields(args)}`.trimEnd());
  if (taskId === undefined) return;
  const name = callName(tool, args);
  const call = { callId, name, sinceMs: Date.now(), percent: undefined, message: '' };
  running.set(callId, { ...call, isCancelling: false });
  face.show([...running.values()]);
}

/** Events say which tool is called; with what stands in the history. */
async function argumentsOf(state: State, callId: string): Promise<unknown> {
  if (!state.arguments.has(callId)) {
    const entries = await state.client.history();
    for (const { id, arguments: args } of entries.flatMap((entry) => entry.tool_calls ?? [])) {
      state.arguments.set(id, args);
    }
  }
  return state.arguments.get(callId);
}

function tellProgress({ running, face }: State, data: DataOf<'progress'>): void {
  const call = running.get(data.call_id);
  if (!call) return;
  call.percent = data.percent;
  call.message = data.message ?? '';
  face.tell('progress', `${progressBar(call.percent)}  ${call.name}  ${call.message}`.trimEnd());
  face.show([...running.values()]);
}

async function tellEnd({ client, running, face }: State, data: DataOf<'task'>): Promise<void> {
  const name = running.get(data.call_id)?.name ?? data.call_id;
  running.delete(data.call_id);
  face.show([...running.values()]);
  const { status, tool, result, error } = await client.task(data.task_id);
  const what = name === data.call_id ? tool : name;
  if (status === 'cancelled') return face.tell('cancelled', what);
  if (error) return face.tell('failed', `${what}  ${error.code}: ${error.message}`);
  face.tell('result', `${what}  ${shortFields(result)}`);
}
