import { callName, placeText, type EventPlace, type SeenOfCall } from './event-place.ts';
import type { TaskId } from './ids.ts';
import {
  callEvent,
  inputEvent,
  progressEvent,
  statusEvent,
  taskEvent,
  turnEvent,
  type SessionEvent,
} from './session-event.ts';
import { isSettled, statusAfter, type SessionStatus } from './session-status.ts';
import type { Input } from './session.ts';
import { hasEnded, type EndedStatus, type ProgressNote, type Task } from './task.ts';
import { callsOf, openCallsAfter, type OpenCall, type Turn } from './turn.ts';

/** An event, and the place of a reader who has read it. */
export type PlacedEvent = SessionEvent & { readonly id: string };

/** What a reader can know of a session now. */
export interface SessionFacts {
  /** Turns in order, from the one before the reader's place on. */
  readonly turns: readonly Turn[];
  /** Whether these are all: only then is anything told that no turn has consumed. */
  readonly isTail: boolean;
  /** Inputs after the reader's place. */
  readonly inputs: readonly Input[];
  /** Tasks whose end a turn delivers, and those of open calls. */
  readonly tasks: ReadonlyMap<TaskId, Task>;
}

interface Trail {
  place: EventPlace;
  readonly events: PlacedEvent[];
}

/**
 * What comes after a place. Inputs come before the turn that consumed them, a task's end before the turn
 * that delivered it, and a call before its task; what no turn has consumed comes last.
 */
export function eventsAfter(place: EventPlace, facts: SessionFacts): readonly PlacedEvent[] {
  const trail: Trail = { place, events: [] };
  const { turns } = facts;
  for (const [index, turn] of turns.entries()) {
    if (turn.number < trail.place.turn) continue;
    const previous = turns[index - 1];
    if (turn.number > trail.place.turn) enterTurn(trail, { turn, previous, facts });
    const slots = slotsOf({ turn, previous, hasNext: turns[index + 1] !== undefined });
    if (!tellSlots(trail, slots)) break;
  }
  if (facts.isTail) tellLoose(trail, facts);
  return trail.events;
}

/** Tell what the turn consumed; then it is the one that is being read. */
function enterTurn(
  trail: Trail,
  entered: { readonly turn: Turn; readonly previous: Turn | undefined; facts: SessionFacts },
): void {
  const { turn, previous, facts } = entered;
  const { intent } = turn;
  tellInputs(trail, intent.inputs);
  const open = openCallsAfter(previous);
  for (const { kind, taskId, status } of intent.deliveries) {
    const call = open.find((one) => one.taskId === taskId);
    if (kind !== 'end' || !call || status === 'working') continue;
    tellCall(trail, call, { notes: facts.tasks.get(taskId)?.recent ?? [], end: status });
  }
  const still = new Set(intent.open.map(callName));
  const seen = new Map([...trail.place.seen].filter(([name]) => still.has(name)));
  trail.place = { ...trail.place, turn: turn.number, slot: 0, seen };
}

/** One event of a turn, or none, or one that is not known yet. Slots never move, whatever is in them. */
type Slot = SessionEvent | 'none' | 'later';

function slotsOf(read: {
  readonly turn: Turn;
  readonly previous: Turn | undefined;
  readonly hasNext: boolean;
}): readonly Slot[] {
  const { turn, previous, hasNext } = read;
  const { reply } = turn;
  const opening = statusSlot('running', statusAfter(previous));
  if (!reply) return [opening, 'later'];
  const closing = statusSlot(statusAfter(turn), 'running');
  const isOver = hasNext || isSettled(turn);
  return [
    opening,
    turnEvent(turn, reply),
    ...callsOf(turn).map(callEvent),
    isOver ? closing : 'later',
  ];
}

const statusSlot = (status: SessionStatus, before: SessionStatus): Slot =>
  status === before ? 'none' : statusEvent(status);

/** False when one of them is not known yet. */
function tellSlots(trail: Trail, slots: readonly Slot[]): boolean {
  for (const slot of slots.slice(trail.place.slot)) {
    if (slot === 'later') return false;
    const place = { ...trail.place, slot: trail.place.slot + 1 };
    if (slot === 'none') trail.place = place;
    else tell(trail, slot, place);
  }
  return true;
}

/** What no turn has consumed yet. */
function tellLoose(trail: Trail, { turns, inputs, tasks }: SessionFacts): void {
  tellInputs(trail, inputs);
  for (const call of openCallsAfter(turns.at(-1))) {
    const task = tasks.get(call.taskId);
    if (!task) continue;
    const end = hasEnded(task) ? task.state.status : undefined;
    tellCall(trail, call, { notes: task.recent, end });
  }
}

function tellInputs(trail: Trail, inputs: readonly Input[]): void {
  for (const input of inputs) {
    if (input.number <= trail.place.input) continue;
    tell(trail, inputEvent(input), { ...trail.place, input: input.number });
  }
}

/** A call's progress in order, then its end, each once. */
function tellCall(
  trail: Trail,
  call: OpenCall,
  news: { readonly notes: readonly ProgressNote[]; readonly end: EndedStatus | undefined },
): void {
  const name = callName(call);
  for (const note of news.notes) {
    const seen = trail.place.seen.get(name) ?? 0;
    if (seen === 'ended' || note.sequence <= seen) continue;
    tell(trail, progressEvent(call, note), placeWith(trail.place, name, note.sequence));
  }
  if (news.end === undefined || trail.place.seen.get(name) === 'ended') return;
  tell(trail, taskEvent(call, news.end), placeWith(trail.place, name, 'ended'));
}

const placeWith = (place: EventPlace, name: string, of: SeenOfCall): EventPlace => ({
  ...place,
  seen: new Map([...place.seen, [name, of]]),
});

function tell(trail: Trail, event: SessionEvent, place: EventPlace): void {
  trail.place = place;
  trail.events.push({ ...event, id: placeText(place) });
}
