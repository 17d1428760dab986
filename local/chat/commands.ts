import type { EntryView, ResponseView } from '../../functions/sessions/view-history.ts';
import { shortFields, shortId } from '../talk/short-words.ts';
import type { Speaker } from '../talk/spoken-lines.ts';
import type { SessionClient } from './session-client.ts';

export type Told = (who: Speaker, text: string) => void;

export const commandWords = '/calls shows what is under way, /history what was said, /quit leaves';

/** Whether a line is meant for this program and not for the model. */
export const isCommand = (line: string): boolean => line.startsWith('/');

/** Do what a command says; the answer to /quit is to leave. */
export async function runCommand(
  line: string,
  client: SessionClient,
  tell: Told,
): Promise<'stay' | 'leave'> {
  const command = line.trim();
  if (command === '/quit') return 'leave';
  try {
    if (command === '/calls') await tellCalls(client, tell);
    else if (command === '/history') await tellHistory(client, tell);
    else tell('note', `${commandWords}.`);
  } catch {
    tell('failed', 'The server does not answer.');
  }
  return 'stay';
}

async function tellHistory(client: SessionClient, tell: Told): Promise<void> {
  const entries = await client.history();
  tell('note', 'As it was last sent to the model:');
  for (const entry of entries) tellEntry(entry, tell);
}

async function tellCalls(client: SessionClient, tell: Told): Promise<void> {
  const { pending } = await client.view();
  if (pending.length === 0) tell('note', 'Nothing is under way.');
  for (const { call_id: callId, tool, state, progress } of pending) {
    const far = progress ? `  ${progress.percent}%  ${progress.message}` : '';
    tell('call', `${tool}  ${shortId(callId)}  ${state}${far}`);
  }
}

function tellEntry(entry: EntryView, tell: Told): void {
  const { role, text, event, tool_calls: calls = [], tool_response: response } = entry;
  if (text !== undefined) tell(speakerOf(role, event !== undefined), text);
  for (const { name, arguments: args } of calls) tell('call', `${name}  ${shortFields(args)}`);
  if (response) tellResponse(response, tell);
}

const speakerOf = (role: EntryView['role'], isEvent: boolean): Speaker => {
  if (role === 'assistant') return 'model';
  return role === 'user' && !isEvent ? 'you' : 'note';
};

function tellResponse({ name, status, result, error, initial }: ResponseView, tell: Told): void {
  if (error) return tell('failed', `${name}  ${error.code}: ${error.message}`);
  const value = result ?? initial;
  const words = value === undefined ? status : `${status}  ${shortFields(value)}`;
  tell(status === 'working' ? 'yields' : 'result', `${name}  ${words}`);
}
