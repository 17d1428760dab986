import { asTaskId } from '../../functions/core/ids.ts';
import type { SessionEvent } from '../../functions/core/session-event.ts';
import type { SessionKey } from '../../functions/core/session.ts';
import { callsOf, isQuick, type QuickResponse, type Turn } from '../../functions/core/turn.ts';
import { decodeTurn } from '../../functions/sessions/stored-turn.ts';
import { viewTask } from '../../functions/tasks/view-task.ts';
import type { HousePorts } from '../memory-ports.ts';
import { callName, shortFields, shortId } from '../talk/short-words.ts';
import { progressBar } from '../talk/text-layout.ts';
import type { SeenCall, Tell } from './moment.ts';

/** What the events of one session have told so far. */
export interface Story {
  readonly ports: HousePorts;
  readonly session: SessionKey;
  readonly calls: SeenCall[];
  readonly tell: Tell;
  /** The newest turn, until its quick calls have been told of. */
  turn: Turn | undefined;
  /** The calls it was last said to wait for. */
  waitsFor: string;
}

export async function tellEvent(story: Story, { event, data }: SessionEvent): Promise<void> {
  switch (event) {
    case 'input':
      return story.tell('you', data.text);
    case 'turn':
      return tellTurn(story, data.number);
    case 'call':
      return tellCall(story, data.call_id);
    case 'progress': {
      const message = data.message === undefined ? '' : `  ${data.message}`;
      const name = nameOf(story, data.call_id);
      return story.tell('progress', `${progressBar(data.percent)}  ${name}${message}`);
    }
    case 'task':
      return tellEnd(story, data.task_id);
    case 'status':
      await tellQuickResults(story);
      if (data.status === 'input_required') tellYield(story);
  }
}

async function tellTurn(story: Story, number: number): Promise<void> {
  await tellQuickResults(story);
  const turn = await readTurn(story, number);
  story.turn = turn;
  const { text = '', cut, detail = 'no reason was given' } = turn?.reply ?? {};
  if (text !== '') story.tell('model', text);
  if (cut === 'refused') story.tell('failed', `the model refused: ${detail}`);
}

function tellCall(story: Story, callId: string): void {
  const call = callsOf(story.turn).find((one) => one.callId === callId);
  if (!call) return;
  const { tool, arguments: args, taskId, refused } = call;
  const seen = { callId, tool, name: callName(tool, args), taskId, isOpen: taskId !== undefined };
  story.calls.push(seen);
  story.tell('call', `${tool}  ${shortFields(args)}`.trimEnd());
  if (refused) story.tell('failed', `${tool}: ${refused.message}`);
}

/** Once for the same calls: nobody wants to hear after every word what is still under way. */
function tellYield(story: Story): void {
  const open = story.calls.filter(({ isOpen }) => isOpen);
  const words = open.map(({ callId, name }) => `${shortId(callId)} (${name})`).join(' and ');
  if (words !== story.waitsFor && words !== '') story.tell('yields', `waiting for ${words}`);
  story.waitsFor = words;
}

async function tellEnd(story: Story, taskId: string): Promise<void> {
  const { ports, session, calls, tell } = story;
  const call = calls.find((one) => one.taskId === taskId);
  const task = await ports.tasks.get({ ...session, taskId: asTaskId(taskId) });
  if (!call || !task) throw new Error('A task has ended that nobody called for.');
  call.isOpen = false;
  const { status, result, error } = await viewTask(ports, task);
  if (status === 'completed') return tell('result', `${call.name}  ${shortFields(result)}`);
  if (!error) return tell('cancelled', call.name);
  tell('failed', `${call.name}  ${error.code}: ${error.message}`);
}

/** Quick results are kept with their turn, or travel in the next one's intent. */
export async function tellQuickResults(story: Story): Promise<void> {
  const quick = callsOf(story.turn).filter(isQuick);
  if (!story.turn || quick.length === 0) return;
  const { number } = story.turn;
  const [now, next] = [await readTurn(story, number), await readTurn(story, number + 1)];
  const responses = now?.quick ?? next?.intent.quick;
  if (!responses) return;
  story.turn = undefined;
  for (const response of responses) tellQuick(story, response);
}

function tellQuick({ calls, tell }: Story, { callId, value, error }: QuickResponse): void {
  const name = calls.find((call) => call.callId === callId)?.name ?? callId;
  if (error) return tell('failed', `${name}: ${error.message}`);
  tell('result', `${name}  ${value && !value.cut ? shortFields(JSON.parse(value.json)) : '…'}`);
}

async function readTurn({ ports, session }: Story, number: number): Promise<Turn | undefined> {
  const record = await ports.sessions.getTurn(session, number);
  return record && decodeTurn(ports, record);
}

const nameOf = ({ calls }: Story, callId: string): string =>
  calls.findLast((call) => call.callId === callId)?.name ?? callId;
