import { nextStep } from '../core/drain.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import {
  isSettled,
  restReasonOf,
  statusAfter,
  type RestReason,
  type SessionStatus,
} from '../core/session-status.ts';
import type { Session, SessionKey } from '../core/session.ts';
import { admitted } from '../core/task-news.ts';
import { hasEnded, type Progress, type Task } from '../core/task.ts';
import { openCallsAfter, type OpenCall, type Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurns } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'tasks' | 'objects' | 'clock'>;

/** A session as the wire shows it. */
export interface SessionView {
  readonly session_id: string;
  readonly status: SessionStatus;
  readonly finish_reason?: RestReason;
  readonly input_required_tool_ids: readonly string[];
  readonly pending: readonly PendingCall[];
  readonly turns: number;
  readonly created_at: string;
  /** Why the model gave no answer. */
  readonly error?: { readonly code: 'model_refused'; readonly message: string };
}

export interface PendingCall {
  readonly call_id: string;
  readonly task_id?: string;
  readonly tool: string;
  readonly state: 'waiting' | 'running';
  readonly progress?: Progress;
}

export async function viewSession(ports: Needs, key: SessionKey): Promise<Result<SessionView>> {
  const [session, end] = await Promise.all([ports.sessions.get(key), readEnd(ports, key)]);
  return session ? ok(showSession(ports, session, end)) : refuse({ reason: 'session_not_found' });
}

/** The same for a session that has been read already. */
export const viewReadSession = async (ports: Needs, session: Session): Promise<SessionView> =>
  showSession(ports, session, await readEnd(ports, session));

/** Where a session's conversation ends: all that its status depends on, whatever its length. */
interface SessionEnd {
  readonly last: Turn | undefined;
  readonly inputWaits: boolean;
  readonly tasks: ReadonlyMap<string, Task>;
}

async function readEnd(ports: Needs, key: SessionKey): Promise<SessionEnd> {
  const [records, [newest]] = await Promise.all([
    ports.sessions.lastTurns(key, 1),
    ports.sessions.lastInputs(key, 1),
  ]);
  const [last] = await decodeTurns(ports, records);
  const { owner } = key;
  const tasks = await Promise.all(
    openCallsAfter(last).map(({ taskId }) => ports.tasks.get({ owner, taskId })),
  );
  const found = tasks.flatMap((task) => (task ? [[task.taskId, task] as const] : []));
  const inputWaits = (newest?.number ?? 0) > (last?.intent.inputsThrough ?? 0);
  return { last, inputWaits, tasks: new Map(found) };
}

function showSession(ports: Needs, session: Session, end: SessionEnd): SessionView {
  const { last, tasks } = end;
  const status = statusOf(session, end, ports.clock.nowMs());
  const reason = status === 'running' ? undefined : restReasonOf(last);
  const open = openCallsAfter(last).filter(({ taskId }) => !isOver(tasks.get(taskId)));
  const running = new Set(admitted(open, tasks, session.policy.slots));
  return {
    session_id: session.sessionId,
    status,
    ...(reason === undefined ? {} : { finish_reason: reason }),
    input_required_tool_ids: open.map(({ callId }) => callId),
    pending: open.map((call) => showPending(call, tasks.get(call.taskId), running.has(call))),
    turns: last?.number ?? 0,
    created_at: new Date(session.createdAtMs).toISOString(),
    ...(status === 'failed' ? { error: refusalIn(last) } : {}),
  };
}

const refusalIn = (last: Turn | undefined) => ({
  code: 'model_refused' as const,
  message: last?.reply?.detail ?? 'The model gave no answer.',
});

const isOver = (task: Task | undefined) => task !== undefined && hasEnded(task);

/** A task that is not there yet cannot be asked for, so it is not named. */
const showPending = (
  { callId, tool }: OpenCall,
  task: Task | undefined,
  isRunning: boolean,
): PendingCall => ({
  call_id: callId,
  ...(task ? { task_id: task.taskId } : {}),
  tool,
  state: isRunning ? 'running' : 'waiting',
  ...(task?.progress ? { progress: task.progress } : {}),
});

/** Running is also who is about to speak: an input waits, or a task's end that a turn must follow. */
function statusOf({ policy }: Session, end: SessionEnd, nowMs: number): SessionStatus {
  const { last, inputWaits, tasks } = end;
  if (inputWaits || (last && !isSettled(last))) return 'running';
  const thresholdsOf = () => [];
  const next = nextStep({ policy, last, inputs: [], tasks, nowMs, thresholdsOf });
  return next.kind === 'turn' ? 'running' : statusAfter(last);
}
