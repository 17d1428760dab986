import { readSessionCursor, sessionCursorText } from '../core/cursor.ts';
import type { Owner } from '../core/ids.ts';
import type { Input, Session, SessionKey } from '../core/session.ts';
import type { TurnRecord } from '../core/turn.ts';
import type { Page, PageRequest, ReplyAdding, SessionStore, TurnTaking } from '../ports.ts';

/** The conditions of the DynamoDB store over Maps. Numbers are kept in order by whoever reads. */
export function memorySessionStore(): SessionStore {
  const sessions = new Map<string, Session>();
  const turns = numberedItems<TurnRecord>();
  const inputs = numberedItems<Input>();
  const named = new Map<string, number>();
  return {
    async create(session) {
      if (sessions.has(nameOf(session))) return false;
      sessions.set(nameOf(session), session);
      return true;
    },
    get: async (key) => sessions.get(nameOf(key)),
    list: async (owner, page) => listSessions([...sessions.values()], owner, page),
    async keepSnapshot(key, snapshot) {
      const session = sessions.get(nameOf(key));
      if (!session || (session.snapshot && session.snapshot.turn >= snapshot.turn)) return false;
      sessions.set(nameOf(key), { ...session, snapshot });
      return true;
    },

    putTurn: async (key, turn) => turns.put(key, turn),
    takeTurn: async (key, number, taking) => turns.change(key, number, (t) => taken(t, taking)),
    renewTurn: async (key, number, fence, untilMs) =>
      turns.change(key, number, (turn) => renewed(turn, fence, untilMs)) !== undefined,
    addReply: async (key, number, adding) => turns.change(key, number, (t) => replied(t, adding)),
    addQuick: async (key, number, { fence, quick }) =>
      turns.change(key, number, (turn) =>
        turn.claim.fence === fence && turn.reply && !turn.quick
          ? { ...turn, quick, claim: { ...turn.claim, untilMs: 0 } }
          : undefined,
      ),
    getTurn: async (key, number) => turns.get(key, number),
    lastTurns: async (key, limit) => last(turns.all(key), limit),
    turnsAfter: async (key, number, limit) => after(turns.all(key), number, limit),

    putInput: async (key, input) => inputs.put(key, input),
    async nameInput(key, inputId, number) {
      named.set(`${nameOf(key)}#${inputId}`, number);
    },
    namedInput: async (key, inputId) => named.get(`${nameOf(key)}#${inputId}`),
    lastInputs: async (key, limit) => last(inputs.all(key), limit),
    inputsAfter: async (key, number, limit) => after(inputs.all(key), number, limit),
  };
}

const nameOf = ({ owner, sessionId }: SessionKey) => `${owner}#${sessionId}`;

interface Numbered {
  readonly number: number;
}

/** Items of many sessions, each under its number. */
function numberedItems<Item extends Numbered>() {
  const bySession = new Map<string, Map<number, Item>>();
  const of = (key: SessionKey) => bySession.get(nameOf(key)) ?? new Map<number, Item>();
  const put = (key: SessionKey, item: Item) =>
    bySession.set(nameOf(key), of(key).set(item.number, item));
  return {
    get: (key: SessionKey, number: number) => of(key).get(number),
    all: (key: SessionKey) => [...of(key).values()].toSorted((a, b) => a.number - b.number),
    put(key: SessionKey, item: Item): boolean {
      if (of(key).has(item.number)) return false;
      put(key, item);
      return true;
    },
    change(key: SessionKey, number: number, rule: (item: Item) => Item | undefined) {
      const found = of(key).get(number);
      const changed = found && rule(found);
      if (changed) put(key, changed);
      return changed;
    },
  };
}

const last = <Item>(items: readonly Item[], limit: number) =>
  items.slice(Math.max(0, items.length - limit));
const after = <Item extends Numbered>(items: readonly Item[], number: number, limit: number) =>
  items.filter((item) => item.number > number).slice(0, limit);

function taken(turn: TurnRecord, { fence, nowMs, claim }: TurnTaking): TurnRecord | undefined {
  if (turn.claim.fence !== fence || turn.claim.untilMs > nowMs) return undefined;
  if (turn.reply && turn.quick) return undefined;
  return { ...turn, claim: { ...claim, fence: fence + 1 } };
}

function renewed(turn: TurnRecord, fence: number, untilMs: number): TurnRecord | undefined {
  if (turn.claim.fence !== fence || turn.claim.untilMs <= 0) return undefined;
  return { ...turn, claim: { ...turn.claim, untilMs } };
}

function replied(turn: TurnRecord, { fence, reply, untilMs }: ReplyAdding): TurnRecord | undefined {
  if (turn.claim.fence !== fence || turn.reply) return undefined;
  return { ...turn, reply, claim: { ...turn.claim, untilMs } };
}

function listSessions(
  sessions: readonly Session[],
  owner: Owner,
  { limit, cursor }: PageRequest,
): Page<Session> {
  const place = cursor === undefined ? undefined : readSessionCursor(cursor);
  if (cursor !== undefined && !place) return { items: [] };
  const own = sessions
    .filter((session) => session.owner === owner)
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const from = place ? own.findIndex(({ sessionId }) => sessionId === place.sessionId) + 1 : 0;
  const items = own.slice(from, from + limit);
  const end = items.at(-1);
  return end && from + limit < own.length ? { items, cursor: sessionCursorText(end) } : { items };
}
