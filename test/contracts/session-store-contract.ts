import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSessionId } from '../../functions/adapters/process.ts';
import { asOwner } from '../../functions/core/ids.ts';
import { policyDefault } from '../../functions/core/session.ts';
import type { SessionStore } from '../../functions/ports.ts';
import { titleOf } from './engines.ts';
import {
  digests,
  far,
  inputNumbered,
  large,
  near,
  newKey,
  newSession,
  numbersOf,
  reply,
  times,
  turnNumbered,
} from './session-samples.ts';
import { raceRules, turnRules } from './session-turn-contract.ts';

export interface SessionStoreUnderTest {
  readonly sessions: SessionStore;
  stop(): Promise<void>;
}

/** What every session store must do, whatever it is made of. */
export function sessionStoreContract(
  name: string,
  open: () => Promise<SessionStoreUnderTest>,
  missing?: string,
): void {
  describe.skipIf(missing)(titleOf('session store', name, missing), () => {
    let under: SessionStoreUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.stop());
    const store = () => under.sessions;

    sessionRules(store);
    turnRules(store);
    raceRules(store);
    inputRules(store);
    inputNameRules(store);
    valueRules(store);
  });
}

type Store = () => SessionStore;

function sessionRules(store: Store): void {
  it('creates a session once and reads it back whole', async () => {
    const session = newSession({
      system: 'Grüße 😀',
      model: 'scripted',
      tools: ['demo_wait', 'create_user'],
      ownTools: [
        {
          name: 'approve',
          description: 'Ask a person.',
          inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
          results: 2,
          progressAt: [25, 50],
        },
      ],
      webhookUrl: 'https://example.com/hook',
      policy: { ...policyDefault, pending: 'each', slots: 1 },
    });
    expect(await store().create(session)).toBe(true);
    expect(await store().create({ ...session, system: 'other' })).toBe(false);
    expect(await store().get(session)).toStrictEqual(session);
  });

  it('keeps what was left out apart from what was chosen', async () => {
    const session = newSession();
    await store().create(session);
    expect(await store().get(session)).toStrictEqual(session);
  });

  it('finds nothing under another owner or another id', async () => {
    const session = newSession();
    const bobs = { ...session, owner: asOwner('bob') };
    await store().create(session);
    await store().putTurn(session, turnNumbered(1));
    await store().putInput(session, inputNumbered(1));
    expect(await store().get(bobs)).toBeUndefined();
    expect(await store().get(newKey())).toBeUndefined();
    expect(await store().getTurn(bobs, 1)).toBeUndefined();
    expect(await store().lastTurns(bobs, 5)).toEqual([]);
    expect(await store().inputsAfter(bobs, 0, 5)).toEqual([]);
    expect(await store().addReply(bobs, 1, reply('stolen'))).toBeUndefined();
    expect(await store().keepSnapshot(bobs, { turn: 1, history: near([]) })).toBe(false);
    expect(await store().putTurn(bobs, turnNumbered(1))).toBe(true);
    expect(await store().getTurn(session, 1)).toEqual(turnNumbered(1));
  });

  it('lists newest first, page by page, one owner at a time, turns and inputs apart', async () => {
    const owner = asOwner(`carol${newSessionId().slice(5, 15)}`);
    const sessions = [11, 12, 13, 14, 15].map((createdAtMs) =>
      newSession({ ...newKey(owner), createdAtMs }),
    );
    for (const session of sessions) {
      await store().create(session);
      await store().putTurn(session, turnNumbered(1));
      await store().putInput(session, inputNumbered(1));
    }
    const first = await store().list(owner, { limit: 3 });
    expect(first.items.map(({ createdAtMs }) => createdAtMs)).toEqual([15, 14, 13]);
    const rest = await store().list(owner, { limit: 3, cursor: first.cursor });
    expect(rest.items).toEqual([sessions[1], sessions[0]]);
    expect(rest.cursor).toBeUndefined();
    expect(await store().list(asOwner('nobody'), { limit: 3 })).toEqual({ items: [] });
    expect(await store().list(owner, { limit: 3, cursor: 'never given' })).toEqual({ items: [] });
  });

  it('keeps the snapshot of the latest turn', async () => {
    const session = newSession();
    const snapshot = (turn: number) => ({ turn, history: near([{ turn }]) });
    expect(await store().keepSnapshot(session, snapshot(1))).toBe(false);
    expect(await store().get(session)).toBeUndefined();
    await store().create(session);
    expect(await store().keepSnapshot(session, snapshot(40))).toBe(true);
    expect(await store().keepSnapshot(session, snapshot(39))).toBe(false);
    expect(await store().keepSnapshot(session, { turn: 40, history: near(['other']) })).toBe(false);
    expect(await store().get(session)).toEqual({ ...session, snapshot: snapshot(40) });
    expect(await store().keepSnapshot(session, { turn: 80, history: far })).toBe(true);
    const kept = { ...session, snapshot: { turn: 80, history: far } };
    expect(await store().get(session)).toEqual(kept);
    expect((await store().list(session.owner, { limit: 100 })).items).toContainEqual(kept);
  });
}

function inputRules(store: Store): void {
  it('puts an input once under its number and reads inputs in order, turns apart', async () => {
    const key = newKey();
    for (const number of [2, 1, 10, 9]) {
      expect(await store().putInput(key, inputNumbered(number))).toBe(true);
      await store().putTurn(key, turnNumbered(number + 1000));
    }
    expect(await store().putInput(key, inputNumbered(2, 'other'))).toBe(false);
    expect(await store().lastInputs(key, 2)).toStrictEqual([inputNumbered(9), inputNumbered(10)]);
    expect(numbersOf(await store().inputsAfter(key, 0, 3))).toEqual([1, 2, 9]);
    expect(numbersOf(await store().inputsAfter(key, 9, 3))).toEqual([10]);
    expect(await store().inputsAfter(key, 10, 3)).toEqual([]);
    expect(await store().lastInputs(newKey(), 3)).toEqual([]);
  });
}

function inputNameRules(store: Store): void {
  it('knows the number that was noted last for an input id, whatever the id looks like', async () => {
    const key = newKey();
    const strange = 'ü\u0000#😀'.repeat(30);
    expect(await store().namedInput(key, strange)).toBeUndefined();
    for (const number of [3, 4]) await store().nameInput(key, strange, number);
    await store().nameInput(key, 'other', 9);
    expect(await store().namedInput(key, strange)).toBe(4);
    expect(await store().namedInput(key, 'other')).toBe(9);
    expect(await store().namedInput(newKey(), strange)).toBeUndefined();
    expect(await store().lastInputs(key, 5)).toEqual([]);
    expect(await store().lastTurns(key, 5)).toEqual([]);
  });
}

function valueRules(store: Store): void {
  it.each([
    ['far', far],
    ['near and large', large],
    ['unicode', near('ü\u0000\uffff😀\ud800 قلب 𝕏')],
    ['small', near({})],
  ])('gives back values that are %s', async (_what, value) => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1, { intent: value }));
    await store().addReply(key, 1, { fence: 1, untilMs: 7000, reply: value });
    const whole = await store().addQuick(key, 1, { fence: 1, quick: value });
    const claim = { fence: 1, untilMs: 0, token: 'first' };
    const expected = turnNumbered(1, { claim, intent: value, reply: value, quick: value });
    expect(whole).toStrictEqual(expected);
    expect(await store().getTurn(key, 1)).toStrictEqual(expected);
    expect(await store().lastTurns(key, 1)).toStrictEqual([expected]);
  });

  it.each(['', 'ü\u0000\uffff😀\ud800', 'long '.repeat(13_000), digests(1500)])(
    'gives back what the user said, whatever it was',
    async (text) => {
      const key = newKey();
      await store().putInput(key, inputNumbered(1, text));
      expect(await store().lastInputs(key, 1)).toEqual([inputNumbered(1, text)]);
    },
  );

  it('reads more turns than fit into one answer', async () => {
    const key = newKey();
    const numbers = times(30, (n) => n + 1);
    for (const n of numbers) await store().putTurn(key, turnNumbered(n, { intent: large }));
    expect(numbersOf(await store().lastTurns(key, 64))).toEqual(numbers);
    expect(numbersOf(await store().turnsAfter(key, 2, 27))).toEqual(numbers.slice(2, 29));
  });
}
