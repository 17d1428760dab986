import type { Owner, SessionId } from './core/ids.ts';
import type { Model } from './core/model.ts';
import type { Ring } from './core/ring.ts';
import type { Input, Session, SessionKey, Snapshot } from './core/session.ts';
import type { StoredValue } from './core/stored-value.ts';
import type { TurnClaim, TurnRecord } from './core/turn.ts';
import type { Page, PageRequest, Queue, QueueReader } from './ports.ts';

/** What the rules may ask of the world to hold a conversation. */
export interface SessionPorts {
  readonly sessions: SessionStore;
  readonly resumes: Queue<Ring>;
  readonly deadResumes: QueueReader;
  /** The model a session names, or the deployment's own; loaded when it is first asked for. */
  readonly model: (name: string | undefined) => Promise<Model>;
  readonly live: LiveText;
  readonly newSessionId: () => SessionId;
}

/**
 * Sessions, owner-scoped, under the same rules as tasks: one item, one condition per write, consistent
 * reads. A turn and an input are each put under the next number, if that number is free.
 */
export interface SessionStore {
  /** Put the session if its id is free. */
  create(session: Session): Promise<boolean>;
  get(key: SessionKey): Promise<Session | undefined>;
  /** Newest first. */
  list(owner: Owner, page: PageRequest): Promise<Page<Session>>;
  /** Refused when a later turn has been compacted already. */
  keepSnapshot(key: SessionKey, snapshot: Snapshot): Promise<boolean>;

  putTurn(key: SessionKey, turn: TurnRecord): Promise<boolean>;
  /** Take a turn from a holder that died: its fence must still be the one that was read. */
  takeTurn(key: SessionKey, number: number, taking: TurnTaking): Promise<TurnRecord | undefined>;
  renewTurn(key: SessionKey, number: number, fence: number, untilMs: number): Promise<boolean>;
  /** Add the reply; refused when there is one or the fence is old. */
  addReply(key: SessionKey, number: number, adding: ReplyAdding): Promise<TurnRecord | undefined>;
  /** Add the responses of the turn's quick calls and let go of it; refused when the fence is old. */
  addQuick(
    key: SessionKey,
    number: number,
    adding: { readonly fence: number; readonly quick: StoredValue },
  ): Promise<TurnRecord | undefined>;
  getTurn(key: SessionKey, number: number): Promise<TurnRecord | undefined>;
  /** The newest turns, oldest of them first. */
  lastTurns(key: SessionKey, limit: number): Promise<readonly TurnRecord[]>;
  /** Turns after a number, in order. */
  turnsAfter(key: SessionKey, number: number, limit: number): Promise<readonly TurnRecord[]>;

  putInput(key: SessionKey, input: Input): Promise<boolean>;
  /**
   * Note under which number an input is about to be put. Only the input itself says whether it was: the
   * number may have gone to another.
   */
  nameInput(key: SessionKey, inputId: string, number: number): Promise<void>;
  /** The number that was noted last. */
  namedInput(key: SessionKey, inputId: string): Promise<number | undefined>;
  lastInputs(key: SessionKey, limit: number): Promise<readonly Input[]>;
  inputsAfter(key: SessionKey, number: number, limit: number): Promise<readonly Input[]>;
}

export interface TurnTaking {
  /** The fence that was read; the taker gets the next one. */
  readonly fence: number;
  readonly nowMs: number;
  readonly claim: Omit<TurnClaim, 'fence'>;
}

export interface ReplyAdding {
  readonly fence: number;
  readonly reply: StoredValue;
  /** How long the turn stays held for the sake of its quick calls; zero lets go of it. */
  readonly untilMs: number;
}

/** Words of a model as they are spoken, within this process only: the turn carries the full text. */
export interface LiveText {
  say(key: SessionKey, turn: number, piece: string): void;
  /** Calls back with each piece until the signal aborts. */
  hear(key: SessionKey, signal: AbortSignal, heard: (turn: number, piece: string) => void): void;
}
