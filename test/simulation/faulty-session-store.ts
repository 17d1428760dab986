import type { SessionStore } from '../../functions/ports.ts';
import { perform } from './effect.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

/** How many inputs a read of the newest shows. */
const shortTail = 1;

/** The session store of the memory adapter, seen by one life. */
export function faultySessionStore(world: World, life: Life): SessionStore {
  const store = world.sessionStore;
  const act = <T>(name: string, apply: () => Promise<T>) => perform(world, life, { name, apply });
  return {
    create: (session) => act('create session', () => store.create(session)),
    get: (key) => act('get session', () => store.get(key)),
    list: (owner, page) => act('list sessions', () => store.list(owner, page)),
    keepSnapshot: (key, snapshot) => act('keep snapshot', () => store.keepSnapshot(key, snapshot)),
    putTurn: (key, turn) =>
      act(`put turn ${turn.number} ${key.sessionId}`, () => store.putTurn(key, turn)),
    takeTurn: (key, number, taking) =>
      act(`take turn ${number} ${key.sessionId}`, () => store.takeTurn(key, number, taking)),
    renewTurn: (key, number, fence, untilMs) =>
      act(`renew turn ${number}`, () => store.renewTurn(key, number, fence, untilMs)),
    addReply: (key, number, adding) =>
      act(`add reply ${number} ${key.sessionId}`, () => store.addReply(key, number, adding)),
    addQuick: (key, number, adding) =>
      act(`add quick ${number}`, () => store.addQuick(key, number, adding)),
    getTurn: (key, number) => act(`get turn ${number}`, () => store.getTurn(key, number)),
    lastTurns: (key, limit) => act('last turns', () => store.lastTurns(key, limit)),
    turnsAfter: (key, number, limit) =>
      act('turns after', () => store.turnsAfter(key, number, limit)),
    putInput: (key, input) =>
      act(`put input ${input.number} ${key.sessionId}`, () => store.putInput(key, input)),
    nameInput: (key, inputId, number) =>
      act(`name input ${number} ${key.sessionId}`, () => store.nameInput(key, inputId, number)),
    namedInput: (key, inputId) => act('named input', () => store.namedInput(key, inputId)),
    // No session here lives long enough to outgrow a real tail, so everyone gets a short one.
    lastInputs: (key, limit) =>
      act('last inputs', () => store.lastInputs(key, Math.min(limit, shortTail))),
    inputsAfter: (key, number, limit) =>
      act('inputs after', () => store.inputsAfter(key, number, limit)),
  };
}
