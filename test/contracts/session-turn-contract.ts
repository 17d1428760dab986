import { expect, it } from 'vitest';
import type { SessionStore } from '../../functions/ports.ts';
import {
  byNumber,
  inputNumbered,
  near,
  newKey,
  numbersOf,
  reply,
  taking,
  times,
  turnNumbered,
  winners,
} from './session-samples.ts';

/** Opened before the first rule runs. */
type Store = () => SessionStore;

export function turnRules(store: Store): void {
  it('puts a turn once under its number', async () => {
    const key = newKey();
    expect(await store().putTurn(key, turnNumbered(1))).toBe(true);
    const other = turnNumbered(1, { intent: near('other') });
    expect(await store().putTurn(key, other)).toBe(false);
    expect(await store().getTurn(key, 1)).toStrictEqual(turnNumbered(1));
    expect(await store().getTurn(key, 2)).toBeUndefined();
  });

  it('adds one reply, under the fence it was asked for with', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    expect(await store().addReply(key, 1, reply('early', 0))).toBeUndefined();
    expect(await store().addReply(key, 1, reply('late', 2))).toBeUndefined();
    expect(await store().addReply(key, 2, reply('nowhere'))).toBeUndefined();
    const replied = await store().addReply(key, 1, reply('Hello', 1, 7000));
    const claim = { fence: 1, untilMs: 7000, token: 'first' };
    expect(replied).toStrictEqual(turnNumbered(1, { claim, reply: near({ text: 'Hello' }) }));
    expect(await store().addReply(key, 1, reply('again'))).toBeUndefined();
    expect(await store().getTurn(key, 1)).toEqual(replied);
    expect(await store().getTurn(key, 2)).toBeUndefined();
  });

  it('takes a reply after the claim has run out, as long as nobody else has taken the turn', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1, { claim: { fence: 1, untilMs: 1, token: 'slow' } }));
    expect(await store().addReply(key, 1, reply('slow'))).toMatchObject({ claim: { untilMs: 0 } });
  });

  it('adds the quick responses once, after the reply, and lets go of the turn', async () => {
    const key = newKey();
    const quick = near([{ callId: 'c1', status: 'completed' }]);
    await store().putTurn(key, turnNumbered(1));
    expect(await store().addQuick(key, 1, { fence: 1, quick })).toBeUndefined();
    await store().addReply(key, 1, reply('calls', 1, 7000));
    expect(await store().addQuick(key, 1, { fence: 2, quick })).toBeUndefined();
    const done = await store().addQuick(key, 1, { fence: 1, quick });
    expect(done).toMatchObject({ quick, claim: { fence: 1, untilMs: 0 } });
    expect(await store().addQuick(key, 1, { fence: 1, quick: near([]) })).toBeUndefined();
    expect(await store().getTurn(key, 1)).toEqual(done);
  });

  it('renews only for the holder of a held turn', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    expect(await store().renewTurn(key, 1, 2, 9000)).toBe(false);
    expect(await store().renewTurn(key, 2, 1, 9000)).toBe(false);
    expect(await store().renewTurn(key, 1, 1, 9000)).toBe(true);
    expect((await store().getTurn(key, 1))?.claim.untilMs).toBe(9000);
    await store().addReply(key, 1, reply('done'));
    expect(await store().renewTurn(key, 1, 1, 9500)).toBe(false);
    expect((await store().getTurn(key, 1))?.claim.untilMs).toBe(0);
  });

  it('gives a turn to another when its hold is over, and to nobody before', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    expect(await store().takeTurn(key, 1, taking(1, 4999))).toBeUndefined();
    expect(await store().takeTurn(key, 1, taking(2, 5000))).toBeUndefined();
    expect(await store().takeTurn(key, 2, taking(1, 5000))).toBeUndefined();
    const claim = { fence: 2, untilMs: 6000, token: 'second' };
    const taken = await store().takeTurn(key, 1, taking(1, 5000));
    expect(taken).toStrictEqual(turnNumbered(1, { claim }));
    expect(await store().getTurn(key, 1)).toEqual(taken);
  });

  it('takes a replied turn while its quick responses are missing, and not after', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    await store().addReply(key, 1, reply('calls', 1, 7000));
    expect(await store().takeTurn(key, 1, taking(1, 6999))).toBeUndefined();
    const taken = await store().takeTurn(key, 1, taking(1, 7000));
    expect(taken).toMatchObject({ reply: near({ text: 'calls' }), claim: { fence: 2 } });
    expect(await store().addQuick(key, 1, { fence: 1, quick: near([]) })).toBeUndefined();
    await store().addQuick(key, 1, { fence: 2, quick: near([]) });
    expect(await store().takeTurn(key, 1, taking(2, 99_000))).toBeUndefined();
  });

  it('refuses everything a holder brings after another took the turn', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    await store().takeTurn(key, 1, taking(1, 5000));
    expect(await store().addReply(key, 1, reply('late'))).toBeUndefined();
    expect(await store().renewTurn(key, 1, 1, 9000)).toBe(false);
    const replied = await store().addReply(key, 1, reply('in time', 2));
    expect(replied?.reply).toEqual(near({ text: 'in time' }));
    expect(await store().addReply(key, 1, reply('later still', 1))).toBeUndefined();
    expect(await store().getTurn(key, 1)).toEqual(replied);
  });

  it('reads turns in order, from the end and after a number, inputs apart', async () => {
    const key = newKey();
    for (const number of [3, 1, 12, 2, 9, 10, 11, 100]) {
      await store().putTurn(key, turnNumbered(number));
      await store().putInput(key, inputNumbered(number + 1000));
    }
    expect(numbersOf(await store().lastTurns(key, 3))).toEqual([11, 12, 100]);
    expect(numbersOf(await store().lastTurns(key, 50))).toEqual([1, 2, 3, 9, 10, 11, 12, 100]);
    expect(numbersOf(await store().turnsAfter(key, 0, 2))).toEqual([1, 2]);
    expect(numbersOf(await store().turnsAfter(key, 3, 2))).toEqual([9, 10]);
    expect(numbersOf(await store().turnsAfter(key, 12, 50))).toEqual([100]);
    expect(await store().turnsAfter(key, 100, 50)).toEqual([]);
    expect(await store().lastTurns(newKey(), 50)).toEqual([]);
  });
}

/** What must hold when several do the same at once. */
export function raceRules(store: Store): void {
  it('gives a number to one of fifty who put a turn at once', async () => {
    const key = newKey();
    const tries = times(50, async (n) => {
      const turn = turnNumbered(1, { claim: { fence: 1, untilMs: 5000, token: `t${n}` } });
      return (await store().putTurn(key, turn)) ? turn : undefined;
    });
    const won = await winners(tries);
    expect(won).toHaveLength(1);
    expect(await store().getTurn(key, 1)).toEqual(won[0]);
  });

  it('gives a dead turn to one of twenty who take it at once', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    const won = await winners(times(20, (n) => store().takeTurn(key, 1, taking(1, 5000, `t${n}`))));
    expect(won).toHaveLength(1);
    expect(await store().getTurn(key, 1)).toEqual(won[0]);
  });

  it('lets either the late reply or the taker win, never both', async () => {
    for (const key of times(10, () => newKey())) {
      await store().putTurn(key, turnNumbered(1));
      const [replied, taken] = await Promise.all([
        store().addReply(key, 1, reply('late')),
        store().takeTurn(key, 1, taking(1, 5000)),
      ]);
      // A reply that came first leaves the quick responses to be added, so the turn may be taken after it.
      if (taken && !taken.reply) expect(replied).toBeUndefined();
      expect((await store().getTurn(key, 1))?.reply).toEqual(replied?.reply);
    }
  });

  it('gives one reply to twenty who bring one under the same fence', async () => {
    const key = newKey();
    await store().putTurn(key, turnNumbered(1));
    const won = await winners(times(20, (n) => store().addReply(key, 1, reply(`r${n}`))));
    expect(won).toHaveLength(1);
    expect(await store().getTurn(key, 1)).toEqual(won[0]);
  });

  it('numbers twenty inputs that race without a gap or a loss', async () => {
    const key = newKey();
    const say = async (text: string): Promise<number> => {
      for (;;) {
        const number = ((await store().lastInputs(key, 1))[0]?.number ?? 0) + 1;
        if (await store().putInput(key, inputNumbered(number, text))) return number;
      }
    };
    const numbers = await Promise.all(times(20, (n) => say(`said ${n}`)));
    expect(numbers.toSorted(byNumber)).toEqual(times(20, (n) => n + 1));
    const stored = await store().inputsAfter(key, 0, 100);
    expect(numbersOf(stored)).toEqual(times(20, (n) => n + 1));
    expect(new Set(stored.map(({ text }) => text)).size).toBe(20);
  });
}
