import { placeText, type EventPlace } from '../core/event-place.ts';
import type { TaskId } from '../core/ids.ts';
import { turnsPage } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { eventsAfter, type PlacedEvent } from '../core/session-events.ts';
import type { SessionKey } from '../core/session.ts';
import type { Task } from '../core/task.ts';
import { openCallsAfter, type Turn } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurns } from './stored-turn.ts';

export type EventNeeds = Pick<Ports, 'sessions' | 'tasks' | 'objects'>;

interface EventPage {
  readonly events: readonly PlacedEvent[];
  /** Where to read on. */
  readonly cursor: string;
  /** Tasks that may have more to tell. */
  readonly open: readonly TaskId[];
}

/**
 * The next events after a place, as far as they are known now. Nothing is kept between two reads, so any
 * process goes on for any reader; a page without events says that there are none yet.
 */
export async function readEvents(
  ports: EventNeeds,
  key: SessionKey,
  place: EventPlace,
): Promise<Result<EventPage>> {
  // The turn before the place says what the session's status was when the next began.
  const [records, inputs] = await Promise.all([
    ports.sessions.turnsAfter(key, Math.max(0, place.turn - 2), turnsPage),
    ports.sessions.inputsAfter(key, place.input, turnsPage),
  ]);
  const turns = await decodeTurns(ports, records);
  if (place.turn > 0 && !turns.some(({ number }) => number === place.turn)) return wrongPlace;
  const isTail = records.length < turnsPage;
  const open = isTail ? openCallsAfter(turns.at(-1)).map(({ taskId }) => taskId) : [];
  const tasks = await readTasks(ports, key, [...endsIn(turns, place), ...open]);
  const events = eventsAfter(place, { turns, isTail, inputs, tasks });
  return ok({ events, cursor: events.at(-1)?.id ?? placeText(place), open });
}

/** Of a place that this session cannot have given. */
export const wrongPlace = refuse({
  reason: 'invalid_request',
  flaws: [{ path: 'after', message: 'not one this stream gave' }],
});

/** Tasks whose ends the turns to come have delivered: what is left of their progress stands before it. */
const endsIn = (turns: readonly Turn[], place: EventPlace): readonly TaskId[] =>
  turns
    .filter(({ number }) => number > place.turn)
    .flatMap(({ intent }) => intent.deliveries)
    .flatMap(({ kind, taskId }) => (kind === 'end' ? [taskId] : []));

async function readTasks(
  ports: EventNeeds,
  { owner }: SessionKey,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, Task>> {
  const found = await Promise.all(taskIds.map((taskId) => ports.tasks.get({ owner, taskId })));
  return new Map(found.flatMap((task) => (task ? [[task.taskId, task]] : [])));
}
