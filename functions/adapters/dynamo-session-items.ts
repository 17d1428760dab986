import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { digestOf } from '../core/digest.ts';
import { asOwner, asSessionId } from '../core/ids.ts';
import type { Input, Session, SessionKey, Snapshot } from '../core/session.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { TurnRecord } from '../core/turn.ts';
import { packValue, unpackValue, type PackedValue } from './dynamo-items.ts';
import type { Stretch } from './dynamo-read.ts';

/**
 * The storage schema of the Sessions table. pk = owner#sessionId.
 *
 *   sk              what                                       written
 *   session         what was agreed at its creation; snapshot  once, and at each compaction
 *   turn#00000001   one turn                                   intent, then reply, then quick responses
 *   input#00000001  one thing the user said                    once
 *   named#<digest>  the number of an input, by its id          once, and again when the number was taken
 *
 * Only the session item has `owner` and `made`, so only it stands in the index. A turn's names are one
 * letter each because DynamoDB bills them with every write: a small turn stays one unit to its end.
 * A session lives until it is deleted, so nothing here has a time to live.
 */
const sessionItemVersion = 1;

export interface SessionItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly owner: string;
  readonly made: number;
  readonly set: PackedText;
  /** Turn up to which the history is compacted, and the entries. */
  readonly at?: number;
  readonly snap?: PackedValue;
}

/** f fence, u until, t token; i intent, r reply, q responses of quick calls. */
export interface TurnItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly f: number;
  readonly u: number;
  readonly t: string;
  readonly i: PackedValue;
  readonly r?: PackedValue;
  readonly q?: PackedValue;
}

export interface InputItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly id: string;
  readonly at: number;
  readonly text: PackedText;
}

export interface InputNameItem {
  readonly pk: string;
  readonly sk: string;
  readonly v: number;
  readonly n: number;
}

/** JSON as it is, or deflated when that is smaller. */
type PackedText = string | Uint8Array;

type Settings = Omit<Session, keyof SessionKey | 'createdAtMs' | 'snapshot'>;

const turnPrefix = 'turn#';
const inputPrefix = 'input#';
/** Eight digits sort as text in the order of their numbers. */
const lastNumber = 99_999_999;
const numbered = (number: number) => String(number).padStart(8, '0');

const sessionPartition = ({ owner, sessionId }: SessionKey) => `${owner}#${sessionId}`;
export const sessionItemKey = (key: SessionKey) => ({ pk: sessionPartition(key), sk: 'session' });
export const turnItemKey = (key: SessionKey, number: number) => ({
  pk: sessionPartition(key),
  sk: `${turnPrefix}${numbered(number)}`,
});

/** An id may be longer than is good for a key, and hold anything. */
export const inputNameKey = (key: SessionKey, inputId: string) => ({
  pk: sessionPartition(key),
  sk: `named#${digestOf(inputId)}`,
});
export const inputNameItem = (key: SessionKey, inputId: string, n: number): InputNameItem => ({
  ...inputNameKey(key, inputId),
  v: sessionItemVersion,
  n,
});

export const turnsOf = (key: SessionKey, after = -1) => stretch(key, turnPrefix, after);
export const inputsOf = (key: SessionKey, after = -1) => stretch(key, inputPrefix, after);

const stretch = (key: SessionKey, prefix: string, after: number): Stretch => ({
  pk: sessionPartition(key),
  from: `${prefix}${numbered(after + 1)}`,
  to: `${prefix}${numbered(lastNumber)}`,
});

export function keyFromSessionPartition(pk: string): SessionKey {
  const cut = pk.lastIndexOf('#');
  return { owner: asOwner(pk.slice(0, cut)), sessionId: asSessionId(pk.slice(cut + 1)) };
}

export function itemFromSession(session: Session): SessionItem {
  const { owner, sessionId, createdAtMs, snapshot, ...settings } = session;
  return {
    ...sessionItemKey({ owner, sessionId }),
    v: sessionItemVersion,
    owner,
    made: createdAtMs,
    set: packJson(settings satisfies Settings),
    ...(snapshot ? snapshotAttributes(snapshot) : {}),
  };
}

export const snapshotAttributes = ({ turn, history }: Snapshot) => ({
  at: turn,
  snap: packValue(history),
});

export function sessionFromItem(item: SessionItem): Session {
  checkVersion(item);
  const { model, tools, webhookUrl, ...settings } = unpackJson(item.set) as Settings;
  const { at, snap } = item;
  return {
    ...keyFromSessionPartition(item.pk),
    createdAtMs: item.made,
    ...settings,
    model,
    tools,
    webhookUrl,
    snapshot: at === undefined || !snap ? undefined : { turn: at, history: unpacked(snap) },
  };
}

export const itemFromTurn = (key: SessionKey, turn: TurnRecord): TurnItem => ({
  ...turnItemKey(key, turn.number),
  v: sessionItemVersion,
  f: turn.claim.fence,
  u: turn.claim.untilMs,
  t: turn.claim.token,
  i: packValue(turn.intent),
  ...(turn.reply ? { r: packValue(turn.reply) } : {}),
  ...(turn.quick ? { q: packValue(turn.quick) } : {}),
});

export function turnFromItem(item: TurnItem): TurnRecord {
  checkVersion(item);
  return {
    number: Number(item.sk.slice(turnPrefix.length)),
    claim: { fence: item.f, untilMs: item.u, token: item.t },
    intent: unpacked(item.i),
    reply: item.r && unpacked(item.r),
    quick: item.q && unpacked(item.q),
  };
}

export const itemFromInput = (key: SessionKey, input: Input): InputItem => ({
  pk: sessionPartition(key),
  sk: `${inputPrefix}${numbered(input.number)}`,
  v: sessionItemVersion,
  id: input.inputId,
  at: input.atMs,
  text: packJson(input.text),
});

export function inputFromItem(item: InputItem): Input {
  checkVersion(item);
  return {
    number: Number(item.sk.slice(inputPrefix.length)),
    inputId: item.id,
    text: unpackJson(item.text) as string,
    atMs: item.at,
  };
}

function checkVersion({ v }: { readonly v: number }): void {
  if (v > sessionItemVersion) throw new Error(`An item of version ${v} is newer than this code.`);
}

function unpacked(packed: PackedValue): StoredValue {
  const value = unpackValue(packed);
  if (!value) throw new Error('A value of a session is not stored.');
  return value;
}

function packJson(value: unknown): PackedText {
  const json = JSON.stringify(value);
  const deflated = deflateRawSync(json);
  return deflated.length < Buffer.byteLength(json) ? deflated : json;
}

const unpackJson = (packed: PackedText): unknown =>
  JSON.parse(typeof packed === 'string' ? packed : inflateRawSync(packed).toString('utf8'));
