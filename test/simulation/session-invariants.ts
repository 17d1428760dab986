import type { Entry } from '../../functions/core/entry.ts';
import { illegalities } from '../../functions/core/legality.ts';
import type { ModelProfile } from '../../functions/core/model.ts';
import { hasEnded, type Task } from '../../functions/core/task.ts';
import type { SessionRecord } from './session-ledger.ts';
import { wishIn } from './session-model.ts';
import { saw, violate, type World } from './world.ts';

/** What must hold of every request that is sent to a model. */
export function checkRequest(world: World, entries: readonly Entry[], profile: ModelProfile): void {
  for (const flaw of illegalities(entries, profile)) violate(world, 'S2', flaw);
  const wishes = entries.flatMap((entry) => (entry.role === 'user' ? [wishIn(entry.text)] : []));
  const [first] = wishes;
  const known = first && recordNamed(world, first.session);
  if (!known) return violate(world, 'S4', 'a request belongs to no session');
  if (wishes.some(({ session }) => session !== known.name)) {
    violate(world, 'S4', `${known.name} was shown what another session was told`);
  }
  checkOrder(
    world,
    known,
    wishes.map(({ inputId }) => inputId),
  );
  checkUserFirst(world, known, entries);
  checkPrefix(world, known, entries);
}

const recordNamed = (world: World, name: string): SessionRecord | undefined =>
  [...world.sessions.records.values()].find((known) => known.name === name);

/** S7: each accepted input once, in the order of its number. */
function checkOrder(world: World, known: SessionRecord, inputIds: readonly string[]): void {
  if (new Set(inputIds).size < inputIds.length) {
    violate(world, 'S7', `${known.name} was shown an input twice`);
  }
  const numberOf = new Map([...known.accepted].map(([number, inputId]) => [inputId, number]));
  const numbers = inputIds.flatMap((inputId) => numberOf.get(inputId) ?? []);
  if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0))) {
    violate(world, 'S7', `${known.name} was shown inputs out of order`);
  }
}

/** S7: what the user said comes before the events drained with it. */
function checkUserFirst(world: World, known: SessionRecord, entries: readonly Entry[]): void {
  const { name, session } = known;
  // Where the user may cut in, a turn can end without a word: then two drains stand side by side.
  if (session.policy.doubleText !== 'enqueue') return;
  entries.forEach((entry, index) => {
    if (entry.role === 'user' && entries[index - 1]?.role === 'event') {
      violate(world, 'S7', `${name} was shown an event before what the user said`);
    }
  });
}

/** S9: what was sent once stands unchanged at the head of every later request. */
function checkPrefix(world: World, known: SessionRecord, entries: readonly Entry[]): void {
  const text = JSON.stringify(entries);
  const same = known.requests.find(({ length }) => length === entries.length);
  if (same && JSON.stringify(same) !== text) {
    return violate(world, 'S9', `${known.name} was asked two things in one turn`);
  }
  if (same) return saw(world, 'model asked again');
  for (const other of known.requests) {
    const [shorter, longer] = other.length < entries.length ? [other, entries] : [entries, other];
    if (JSON.stringify(longer.slice(0, shorter.length)) !== JSON.stringify(shorter)) {
      violate(world, 'S9', `${known.name}: a sent history was rewritten`);
    }
  }
  known.requests.push(entries);
}

/** S10: never more calls of a session under way than it has slots. */
export function checkSlots(world: World, task: Task): void {
  if (task.caller.kind !== 'session') return;
  const known = world.sessions.records.get(task.caller.sessionId);
  if (!known) return violate(world, 'S4', `${task.taskId} belongs to no session`);
  if (hasEnded(task)) known.running.delete(task.taskId);
  else known.running.add(task.taskId);
  const { slots } = known.session.policy;
  if (known.running.size > slots) {
    violate(world, 'S10', `${known.name} runs ${known.running.size} calls in ${slots} slots`);
  }
}
