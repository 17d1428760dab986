import { measuredHouse } from './life.ts';
import { measuredModel, measuredSession } from './session-life.ts';
import { liveTool } from './session-tool.ts';

/** What a session's call costs beside the turn that made it: start, claim, reports, end, intent, reply. */
interface SessionLedgerRow {
  readonly design: 'boomerang session';
  readonly k: number;
  readonly write_units: number;
  readonly sqs_requests: number;
  readonly arguments_bytes: number;
}

const callAndTell = () =>
  measuredModel((_request, count) =>
    count === 1
      ? { text: 'On it.', calls: [{ id: 'call_1', name: 'measured', arguments: {} }] }
      : { text: 'It is done.' },
  );

/** The user's input and the turn that makes the call: one put, an intent, a reply. */
const unitsOfAsking = 3;

export async function sessionRow(k: number): Promise<SessionLedgerRow> {
  const house = await measuredHouse(() => liveTool(k));
  const talk = await measuredSession(house, callAndTell().model);
  house.ledger.requests.length = 0;
  await talk.say('Process the records of the day, please.');
  await talk.resumeOnce();
  await house.workOnce();
  await talk.resumeOnce();
  await house.stop();
  const { requests } = house.ledger;
  const units = requests.reduce((sum, one) => sum + one.tableUnits + one.indexUnits, 0);
  return {
    design: 'boomerang session',
    k,
    write_units: units - unitsOfAsking,
    sqs_requests: requests.reduce((sum, { chunks }) => sum + chunks, 0),
    arguments_bytes: 2,
  };
}

/** Large beside what a request takes on a busy machine. */
const delayMs = 200;

/** Round trips in a row between the ring of an end and the model's request. */
export async function measureWakeDepth(): Promise<number> {
  const house = await measuredHouse(() => liveTool(0), delayMs);
  const { model, requests } = callAndTell();
  const talk = await measuredSession(house, model);
  await talk.say('Process the records of the day, please.');
  await talk.resumeOnce();
  await house.workOnce();
  const ring = await house.nextRing();
  const beganAt = performance.now();
  await talk.hear(ring);
  await house.stop();
  return Math.round(((requests[1]?.beganAt ?? 0) - beganAt) / delayMs);
}
