import type { CompactedHistory } from '../core/compaction.ts';
import type { TaskId } from '../core/ids.ts';
import { inputsTail, turnsTail } from '../core/limits.ts';
import type { Input, Session, SessionKey } from '../core/session.ts';
import type { Task } from '../core/task.ts';
import { openCallsAfter, type Turn, type TurnRecord } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurns, readSnapshot } from './stored-turn.ts';

type Needs = Pick<Ports, 'sessions' | 'tasks' | 'objects'>;

/** A session as it is now: all that is needed to decide what comes next, and to render its history. */
export interface SessionLook {
  readonly session: Session;
  readonly snapshot: CompactedHistory | undefined;
  /** Turns since the snapshot in order, with the one it ends with, whose calls the next turn answers. */
  readonly turns: readonly Turn[];
  /** What the user said that no turn has consumed. */
  readonly inputs: readonly Input[];
  /** Tasks of open calls, as far as they have been started, and those a ring named. */
  readonly tasks: ReadonlyMap<TaskId, Task>;
}

/**
 * Read a session. Everything but the tasks that nobody named is read side by side, so that an end which
 * rang by name is one round trip away from its turn.
 */
export async function lookAtSession(
  ports: Needs,
  key: SessionKey,
  named: readonly TaskId[] = [],
): Promise<SessionLook | undefined> {
  const [session, records, tail, tasks] = await Promise.all([
    ports.sessions.get(key),
    ports.sessions.lastTurns(key, turnsTail),
    ports.sessions.lastInputs(key, inputsTail),
    readTasks(ports, key, named),
  ]);
  if (!session) return undefined;
  const after = session.snapshot?.turn ?? 0;
  const all = await turnsSince(ports, key, after, records);
  const [snapshot, turns] = await Promise.all([
    readSnapshot(ports, session),
    decodeTurns(
      ports,
      all.filter(({ number }) => number >= after),
    ),
  ]);
  const last = turns.at(-1);
  const open = openCallsAfter(last).map(({ taskId }) => taskId);
  const [inputs, others] = await Promise.all([
    inputsWaiting(ports, key, last?.intent.inputsThrough ?? 0, tail),
    readTasks(
      ports,
      key,
      open.filter((taskId) => !named.includes(taskId)),
    ),
  ]);
  return { session, snapshot, turns, inputs, tasks: new Map([...tasks, ...others]) };
}

/** The tail reaches back to the snapshot, unless many turns in a row could not be compacted. */
async function turnsSince(
  ports: Needs,
  key: SessionKey,
  after: number,
  tail: readonly TurnRecord[],
): Promise<readonly TurnRecord[]> {
  const missing = (tail[0]?.number ?? 0) - Math.max(after, 1);
  if (missing <= 0) return tail;
  return [...(await ports.sessions.turnsAfter(key, Math.max(after, 1) - 1, missing)), ...tail];
}

/** The tail nearly always reaches back to the last input consumed; when it does not, the rest is read. */
async function inputsWaiting(
  ports: Needs,
  key: SessionKey,
  through: number,
  tail: readonly Input[],
): Promise<readonly Input[]> {
  const first = tail[0]?.number ?? 0;
  if (first <= through + 1) return tail.filter(({ number }) => number > through);
  return ports.sessions.inputsAfter(key, through, inputsTail);
}

async function readTasks(
  { tasks }: Needs,
  { owner }: SessionKey,
  taskIds: readonly TaskId[],
): Promise<readonly [TaskId, Task][]> {
  const found = await Promise.all(taskIds.map((taskId) => tasks.get({ owner, taskId })));
  return found.flatMap((task) => (task ? [[task.taskId, task] as [TaskId, Task]] : []));
}
