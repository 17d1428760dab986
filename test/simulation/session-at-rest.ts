import { digestOf, canonicalJson } from '../../functions/core/digest.ts';
import { hasEnded } from '../../functions/core/task.ts';
import { openCallsAfter, type Delivery, type Turn } from '../../functions/core/turn.ts';
import { decodeTurns } from '../../functions/sessions/stored-turn.ts';
import type { SessionRecord } from './session-ledger.ts';
import { saw, violate, type World } from './world.ts';

/** Liveness and bookkeeping of every session, once nothing is left to do. */
export async function checkSessionsAtRest(world: World): Promise<void> {
  for (const known of world.sessions.records.values()) {
    const records = await world.sessionStore.turnsAfter(known.session, 0, 1000);
    const turns = await decodeTurns({ objects: world.objects }, records);
    checkInputs(world, known, turns);
    await checkCalls(world, known, turns);
    if (turns.length > 3) saw(world, 'long session');
  }
}

/** L6, S12, S14: every accepted input is named by exactly one turn, and every turn has one reply. */
function checkInputs(
  world: World,
  { name, accepted }: SessionRecord,
  turns: readonly Turn[],
): void {
  const consumed = turns.flatMap(({ intent }) => intent.inputs.map(({ number }) => number));
  const expected = [...accepted.keys()].toSorted((a, b) => a - b);
  for (const number of expected) {
    const times = consumed.filter((one) => one === number).length;
    if (times === 0) violate(world, 'L6', `${name}: input ${number} got no turn`);
    if (times > 1) violate(world, 'S12', `${name}: input ${number} was consumed ${times} times`);
  }
  turns.forEach((turn, index) => {
    if (turn.number !== index + 1) violate(world, 'S14', `${name}: turn ${index + 1} is missing`);
    if (!turn.reply) violate(world, 'L5', `${name}: turn ${turn.number} has no reply`);
  });
}

/** L2, S2, S3: every call was closed once, by the end its task came to. */
async function checkCalls(
  world: World,
  { name, session }: SessionRecord,
  turns: readonly Turn[],
): Promise<void> {
  const open = openCallsAfter(turns.at(-1));
  if (open.length > 0) violate(world, 'L2', `${name}: ${open.length} calls are still open`);
  const deliveries = turns.flatMap(({ intent }) => intent.deliveries);
  const called = turns.flatMap(({ reply }) => reply?.calls ?? []).filter(({ taskId }) => taskId);
  for (const { callId, taskId } of called) {
    const own = deliveries.filter((delivery) => delivery.taskId === taskId);
    const ends = own.filter(({ kind }) => kind === 'end');
    if (ends.length > 1) violate(world, 'S2', `${name}: ${callId} was closed ${ends.length} times`);
    const corrections = own.filter(({ kind }) => kind === 'correction').length;
    if (corrections > 1) violate(world, 'S2', `${name}: ${callId} was corrected twice`);
    if (corrections > 0) saw(world, 'corrected');
    for (const end of ends) await checkDelivered(world, session, end);
  }
}

async function checkDelivered(
  world: World,
  { owner }: SessionRecord['session'],
  { taskId, status, value, callId }: Delivery,
): Promise<void> {
  const task = await world.store.get({ owner, taskId });
  if (!task || !hasEnded(task))
    return violate(world, 'S3', `${callId} was closed, its task is open`);
  const { state } = task;
  if (state.status !== status)
    violate(world, 'S3', `${callId} is ${status}, its task ${state.status}`);
  if (state.status !== 'completed' || !value || value.cut) return;
  if (digestOf(canonicalJson(JSON.parse(value.json))) !== state.resultDigest) {
    violate(world, 'S3', `${callId} was given another result than its task has`);
  }
}
