import { describe, expect, it } from 'vitest';
import { asCallId, type TaskId } from '../../functions/core/ids.ts';
import { claimDefaultMs, receivesMax, redrivesMax } from '../../functions/core/limits.ts';
import { readRing, ringFor } from '../../functions/core/ring.ts';
import { keyOf } from '../../functions/core/task.ts';
import type { Intent, Reply } from '../../functions/core/turn.ts';
import type { SessionStore } from '../../functions/ports.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import {
  near,
  newSession,
  sampleIntent,
  sampleReply,
  turnNumbered,
} from '../contracts/session-samples.ts';
import { alice, memoryHouse, type HouseOptions, type MemoryHouse } from '../house.ts';
import { testTool } from '../test-tool.ts';

const deadlineMs = 60_000;
const nothing = {
  expired: 0,
  rung: 0,
  checked: 0,
  untold: 0,
  overdue: 0,
  redriven: 0,
  poison: 0,
};

const callId = asCallId('call_1');
type Said = (taskId: TaskId) => readonly [Partial<Intent>, Partial<Reply>?];

/** A session whose call has a task that ended, and nobody told it. */
async function houseWithUntoldEnd(said: Said) {
  const house = memoryHouse({ tools: [testTool({ deadlineMs })] });
  const session = newSession({ owner: alice });
  const caller = { kind: 'session', sessionId: session.sessionId, callId } as const;
  const task = await house.start({ caller });
  await house.ports.tasks.record(keyOf(task), 'anyone', { kind: 'cancelled', atMs: 1 });
  const [intent, reply] = said(task.taskId);
  await house.ports.sessions.create(session);
  await house.ports.sessions.putTurn(session, {
    ...turnNumbered(2),
    intent: near(sampleIntent(intent)),
    reply: reply && near(sampleReply(reply)),
  });
  await house.clock.advance(deadlineMs);
  return { house, session, taskId: task.taskId };
}

const called = (taskId: TaskId) => ({ callId, taskId, tool: 'slow', arguments: {} });
const untold = { turn: 1, index: 0, consumed: 0, toldPercent: 0, tellings: 0, received: 0 };
const open = (taskId: TaskId) => ({ ...untold, callId, taskId, tool: 'slow' });

const ringsOf = async ({ ports }: MemoryHouse) =>
  (await ports.resumes.receive(10, 0)).map(({ body }) => readRing(body));

describe('the sweep rings a session', () => {
  it.each<[string, Said]>([
    ['in the last turn', (taskId) => [{}, { calls: [called(taskId)] }]],
    ['in an earlier turn', (taskId) => [{ open: [open(taskId)] }, {}]],
    ['before a turn that is under way', (taskId) => [{ open: [open(taskId)] }]],
  ])('whose call, made %s, has an end it was not told', async (_when, said) => {
    const { house, session, taskId } = await houseWithUntoldEnd(said);
    expect(await sweep(house.ports)).toEqual({ ...nothing, rung: 1 });
    const message = ringFor(session, house.clock.nowMs(), [taskId]);
    expect(await ringsOf(house)).toEqual([{ kind: 'ours', message }]);
    expect(house.ports.work.size).toBe(1);
  });

  it('no more when a turn has consumed the end', async () => {
    const { house } = await houseWithUntoldEnd(() => [{}, {}]);
    expect(await sweep(house.ports)).toEqual(nothing);
    expect(await ringsOf(house)).toEqual([]);
  });

  it('never for a task of a client, nor of a session that is not there', async () => {
    const house = memoryHouse({ tools: [testTool({ deadlineMs })] });
    const lost = { kind: 'session', callId: asCallId('c'), ...newSession() } as const;
    for (const caller of [{ kind: 'client' } as const, lost]) {
      const task = await house.start({ caller });
      await house.ports.tasks.record(keyOf(task), 'anyone', { kind: 'cancelled', atMs: 1 });
    }
    await house.clock.advance(deadlineMs);
    expect(await sweep(house.ports)).toEqual(nothing);
    expect(await ringsOf(house)).toEqual([]);
  });
});

describe('dead rings', () => {
  const session = newSession({ owner: alice });

  async function houseWithDeadRing(options: HouseOptions) {
    const house = memoryHouse(options);
    await house.ports.sessions.create(session);
    await house.ports.resumes.send([ringFor(session, 5)]);
    await dieOnce(house);
    return house;
  }

  const broken = (sessions: SessionStore): SessionStore => ({
    ...sessions,
    get: () => Promise.reject(new Error('this item breaks the resumer')),
  });
  const dieOnce = (house: MemoryHouse) => house.runFor(receivesMax * claimDefaultMs + 2000);

  it('are sent back three times with their first time, then stay for people', async () => {
    const house = await houseWithDeadRing({ wrapSessions: broken });
    for (let redrives = 1; redrives <= redrivesMax; redrives += 1) {
      expect(house.ports.deadResumes.size).toBe(1);
      expect(await sweep(house.ports)).toEqual({ ...nothing, redriven: 1 });
      expect(house.ports.deadResumes.size).toBe(0);
      await dieOnce(house);
    }
    expect(await sweep(house.ports)).toEqual({ ...nothing, poison: 1 });
    expect([house.ports.resumes.size, house.ports.work.size]).toEqual([0, 0]);
    const [letter] = await letters(house);
    expect(letter).toMatchObject({ message: { redrives: redrivesMax, sentAtMs: 5 } });
  });

  it('are handled when what broke them is mended', async () => {
    let away = true;
    const house = await houseWithDeadRing({
      wrapSessions: (sessions) => ({
        ...sessions,
        get: (key) => (away ? Promise.reject(new Error('away')) : sessions.get(key)),
      }),
    });
    away = false;
    await sweep(house.ports);
    await house.pump();
    expect([house.ports.resumes.size, house.ports.deadResumes.size]).toEqual([0, 0]);
    expect(house.ringVerdicts.at(-1)).toBe('done');
  });

  it.each(['not JSON', '{"v":99}', '{"v":1,"kind":"run"}'])(
    'that say %s stay where they are',
    async (body) => {
      const house = memoryHouse();
      house.ports.deadResumes.sendBody(body);
      expect(await sweep(house.ports)).toEqual({ ...nothing, poison: 1 });
      expect(house.ports.deadResumes.size).toBe(1);
      expect(house.ports.resumes.size).toBe(0);
    },
  );

  /** Poison is hidden from the next sweeps for an hour. */
  async function letters({ ports, clock }: MemoryHouse) {
    await clock.advance(60 * 60_000);
    return (await ports.deadResumes.receive(1, 0)).map(({ body }) => readRing(body));
  }
});
