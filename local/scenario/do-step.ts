import { asTaskId } from '../../functions/core/ids.ts';
import { callbackFor } from '../../functions/tasks/callback.ts';
import { startProblem } from '../start-problem.ts';
import { clockTime, shortFields } from '../talk/short-words.ts';
import type { SeenCall } from './moment.ts';
import type { Narrator } from './narrator.ts';
import type { NamedCall, ScenarioStep } from './scenario-file.ts';
import { problemOf, type Answer, type Stage } from './stage.ts';

export interface Play {
  readonly stage: Stage;
  readonly narrator: Narrator;
  /** Everything that is said at the door is said again, as by someone whose answer was lost. */
  readonly twice: boolean;
}

/** Do what a step says, at the door of the house; a wrong answer is a failed expectation. */
export async function doStep(play: Play, step: ScenarioStep): Promise<void> {
  if (step.say !== undefined) return say(play, step.say, `at ${step.at}`);
  if (step.respond) return respond(play, step.respond);
  if (step.callback) return callBack(play, step.callback);
  if (step.cancel) return cancel(play, step.cancel);
}

async function say(play: Play, text: string, inputId: string): Promise<void> {
  const count = play.narrator.moments.length;
  await post(play, '/input', { text, input_id: `${inputId} ${count}` }, undefined);
}

async function respond(play: Play, step: NonNullable<ScenarioStep['respond']>): Promise<void> {
  const call = find(play, step);
  const { result, error, progress } = step;
  const body = { call_id: call.callId, result, error, progress };
  await post(play, '/responses', body, step.answer, (answer) => {
    const said = toldBy(answer, error ?? result);
    if (!progress) play.narrator.tell('caller', `${call.name}  ${said}`);
  });
}

async function callBack(play: Play, step: NonNullable<ScenarioStep['callback']>): Promise<void> {
  const { house, session, ask } = play.stage;
  const call = find(play, step);
  const taskId = asTaskId(call.taskId ?? '');
  const task = await house.ports.tasks.get({ ...session, taskId });
  if (!task) throw startProblem(`At ${now(play)} ${call.name} has no task to report on.`);
  const { token } = callbackFor(house.ports, task);
  const { status, result, error, progress } = step;
  const body = { status, result, error, progress };
  const isEnd = status !== 'progress';
  for (const isAgain of isEnd && play.twice ? [false, true] : [false]) {
    const answer = await ask(`/callbacks/${taskId}`, body, token);
    judge(play, answer, step.answer);
    if (isEnd && !isAgain) play.narrator.tell('callback', `${call.name}  ${status}`);
  }
}

async function cancel(play: Play, step: NonNullable<ScenarioStep['cancel']>): Promise<void> {
  const { session, ask } = play.stage;
  const call = find(play, step);
  play.narrator.tell('cancel', call.name);
  const path = `/v1/sessions/${session.sessionId}/calls/${call.callId}/cancel`;
  judge(play, await ask(path), step.answer);
}

async function post(
  play: Play,
  path: string,
  body: Readonly<Record<string, unknown>>,
  right: string | undefined,
  tell: (answer: Answer) => void = () => {},
): Promise<void> {
  const { session, ask } = play.stage;
  const again = play.twice && body.progress === undefined;
  for (const isAgain of again ? [false, true] : [false]) {
    const answer = await ask(`/v1/sessions/${session.sessionId}${path}`, body);
    if (!isAgain) tell(answer);
    judge(play, answer, isAgain && answer.status === 200 ? undefined : right);
  }
}

/** The end of a call is told by itself; what did not end it is told here. */
function toldBy({ json: { outcome, received, expected, code } }: Answer, value: unknown): string {
  if (code !== undefined) return `refused, ${code}: ${shortFields(value)}`;
  if (outcome !== 'partial') return 'is answered';
  return `result ${received} of ${expected}: ${shortFields(value)}`;
}

/** The open call that a step means, or else the newest of its tool. */
function find(play: Play, { tool, call_id: callId }: NamedCall): SeenCall {
  const meant = play.narrator.calls.filter((call) =>
    callId === undefined ? call.tool === tool : call.callId === callId,
  );
  const found = meant.find(({ isOpen }) => isOpen) ?? meant.at(-1);
  if (found) return found;
  throw startProblem(`At ${now(play)} nobody has made a call ${callId ?? `of ${tool}`}.`);
}

function judge(play: Play, answer: Answer, right: string | undefined): void {
  const given = answer.json.code ?? answer.json.outcome ?? `${answer.status}`;
  const isRight = right === undefined ? answer.status < 300 : given === right;
  if (isRight) return;
  const why = answer.status < 300 ? given : problemOf(answer);
  const wanted = right === undefined ? 'a success' : `"${right}"`;
  throw startProblem(
    `At ${now(play)} the answer was expected to be ${wanted}, but it was: ${why}.`,
  );
}

export const now = ({ stage: { house, startMs } }: Pick<Play, 'stage'>): string =>
  clockTime(house.clock.nowMs() - startMs);
