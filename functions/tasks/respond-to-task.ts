import { progressOnto, type Report } from '../core/progress.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { endState, isSameEnd } from '../core/task-event.ts';
import { hasEnded, keyOf, type EndedTask, type Task } from '../core/task.ts';
import { workMessage } from '../core/work-message.ts';
import type { Ports } from '../ports.ts';
import { keepLateResult } from './keep-late.ts';
import { endFrom, type OutsideEnd, type OutsideError, type Outsider } from './outside-end.ts';
import { recordOnto } from './record-onto.ts';
import { ringSession, tellProgress, type TellNeeds } from './tell-end.ts';

export type RespondNeeds = TellNeeds &
  Pick<Ports, 'tasks' | 'objects' | 'work' | 'tools' | 'newToken'>;

/** What someone outside has to say about a task. */
export type TaskResponse =
  { readonly result: unknown } | { readonly error: OutsideError } | { readonly progress: Report };

export interface Answered {
  readonly outcome: 'resolved' | 'already_resolved' | 'progressed' | 'partial';
  /** Of a task with several results: how many there are, and of how many. */
  readonly received?: number;
  readonly expected?: number;
}

/**
 * Take what someone outside says about a task that was just read. The first end wins; the same again
 * is no conflict.
 */
export async function respondToTask(
  ports: RespondNeeds,
  task: Task,
  response: TaskResponse,
  by: Outsider,
): Promise<Result<Answered>> {
  if ('progress' in response) return takeProgress(ports, task, response.progress);
  const end = await endFrom(ports, task, response, by);
  if (end.ok) return takeEnd(ports, task, end.value);
  return hasEnded(task) ? refuseOther(task, by) : end;
}

/** No message is needed: progress that is lost is made up for by the next, and by the end. */
async function takeProgress(
  ports: RespondNeeds,
  task: Task,
  report: Report,
): Promise<Result<Answered>> {
  const recorded = await recordOnto(ports, task, 'anyone', (now) =>
    hasEnded(now) ? undefined : progressOnto(now, report, { atMs: ports.clock.nowMs() }),
  );
  if (recorded.kind === 'recorded') {
    await tellProgress(ports, ports.tools.get(task.tool)?.progressAt ?? [], recorded);
    return ok({ outcome: 'progressed' });
  }
  const { found } = recorded;
  if (!found || !hasEnded(found)) return refuse({ reason: 'task_not_found' });
  return refuse({ reason: 'task_ended', status: found.state.status });
}

async function takeEnd(
  ports: RespondNeeds,
  task: Task,
  event: OutsideEnd,
): Promise<Result<Answered>> {
  if (hasEnded(task)) return answerEnded(ports, task, event);
  if (event.kind === 'completed' && task.resultsMax > 1) {
    const said = await saidBefore(ports, task, event);
    if (said) return said;
    if (task.parts + 1 < task.resultsMax) return takePart(ports, task, event);
  }
  return finish(ports, task, event);
}

/**
 * Nobody records an end without a message that will tell it: so the message is sent first, and only
 * then is the end applied, for the answer's sake.
 */
async function finish(
  ports: RespondNeeds,
  task: Task,
  event: OutsideEnd,
): Promise<Result<Answered>> {
  const key = keyOf(task);
  await ports.work.send([workMessage({ kind: 'finish', ...key, event })]);
  const ended = await ports.tasks.record(key, 'anyone', event);
  if (ended) ports.signals.raise(task.taskId);
  const now = ended ?? (await ports.tasks.get(key));
  if (!now || !hasEnded(now)) throw new Error('An end was refused although the task is open.');
  if (!isSameEnd(now.state, endState(event))) return refuseOther(now, event.by);
  // Its own message may have been faster; another's equal end came first.
  const outcome = now.claim.token === event.token ? 'resolved' : 'already_resolved';
  return ok({ outcome, ...countOf(now) });
}

async function answerEnded(
  ports: RespondNeeds,
  task: EndedTask,
  event: OutsideEnd,
): Promise<Result<Answered>> {
  if (isSameEnd(task.state, endState(event))) return ok({ outcome: 'already_resolved' });
  const said = event.kind === 'completed' ? await saidBefore(ports, task, event) : undefined;
  if (said) return said;
  if (event.kind === 'completed') await keepLateResult(ports, task, event.result);
  return refuseOther(task, event.by);
}

function refuseOther({ state }: EndedTask, by: Outsider): Result<never> {
  if (by === 'callback') return refuse({ reason: 'task_ended', status: state.status });
  const detail = `The call has already ended otherwise: ${state.status}.`;
  return refuse({ reason: 'response_conflict', detail });
}

type Completed = Extract<OutsideEnd, { kind: 'completed' }>;

/** Recorded first, then told: whoever gets no answer says it again, and that rings again. */
async function takePart(
  ports: RespondNeeds,
  task: Task,
  { result: part, ...event }: Completed,
): Promise<Result<Answered>> {
  const { atMs } = event;
  const recorded = await recordOnto(ports, task, 'anyone', (now) => {
    if (hasEnded(now) || now.parts + 1 >= now.resultsMax) return undefined;
    return { kind: 'yielded', part, atMs, after: now.sequence };
  });
  if (recorded.kind === 'refused') {
    if (!recorded.found) return refuse({ reason: 'task_not_found' });
    return takeEnd(ports, recorded.found, { ...event, result: part });
  }
  await ringSession(ports, recorded.after);
  return ok({ outcome: 'partial', ...countOf(recorded.after) });
}

/** Two equal results are one that was said twice: an answer was lost on its way, however long ago. */
async function saidBefore(
  ports: RespondNeeds,
  task: Task,
  { result }: Completed,
): Promise<Result<Answered> | undefined> {
  if (task.parts === 0 || !(await ports.tasks.hasPart(task, result.digest))) return undefined;
  await ringSession(ports, task);
  return ok({ outcome: 'already_resolved', ...countOf(task) });
}

function countOf(task: Task): Pick<Answered, 'received' | 'expected'> {
  if (task.resultsMax === 1) return {};
  const received = task.parts + (task.state.status === 'completed' ? 1 : 0);
  return { received, expected: task.resultsMax };
}
