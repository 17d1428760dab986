import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { asOwner, asTaskId, type TaskId } from '../core/ids.ts';
import { deadlineMsMax, dueShards, retentionMs } from '../core/limits.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { EndEvent } from '../core/task-event.ts';
import {
  newTask,
  type EndedBy,
  type Task,
  type TaskErrorCode,
  type TaskKey,
  type TaskStart,
} from '../core/task.ts';

/**
 * The storage schema of the Tasks table. pk = owner#taskId.
 *
 *   sk              what                                      written
 *   task            the hot item, under 1 KB                  by every event
 *   args#digest     arguments too large for the hot item      once, beside the start
 *   initial#digest  what a start gave, too large for it       once, before the hand-off
 *   question#name   what a running tool asked                 once, before its event
 *   answer#name     what it was answered                      once, before its event
 *   part#digest     one of the results before the last        once, before its event
 *   result#digest   a result too large for it, in time or late  once, before the end
 *   state           the checkpoint                            by checkpoint()
 *
 * Cold items are named by digest, so that two racing writers cannot overwrite each other's value.
 * Attribute names of the hot item are short because DynamoDB bills them with every write.
 */
export const itemVersion = 1;

/** What still leaves room for the rest of a hot item under 1,024 bytes. */
const inlineArgumentsBytesMax = 220;
const inlineInitialBytesMax = 200;
const inlineResultBytesMax = 300;

export interface HotItem {
  readonly pk: string;
  readonly sk: 'task';
  readonly v: number;
  readonly tool: string;
  readonly status: Task['state']['status'];
  readonly owner: string;
  readonly made: number;
  readonly shard: string;
  readonly due: number;
  readonly ends: number;
  readonly seen: number;
  readonly seq: number;
  readonly args: PackedValue;
  readonly fence: number;
  readonly until: number;
  readonly token: string;
  readonly fails: number;
  readonly pauses: number;
  readonly call?: string;
  readonly session?: string;
  readonly want?: number;
  readonly quiet?: number;
  readonly hook?: string;
  readonly unsent?: true;
  readonly ask?: number;
  readonly pct?: number;
  readonly note?: string;
  readonly notes?: Uint8Array;
  readonly parts?: readonly string[];
  readonly off?: number;
  /** The names of open questions, one after another, and how many were ever asked. */
  readonly asks?: string;
  readonly asked?: number;
  readonly init?: PackedValue;
  readonly ended?: number;
  readonly by?: EndedBy;
  readonly res?: PackedValue;
  readonly late?: PackedValue;
  readonly code?: TaskErrorCode;
  readonly why?: string;
  readonly ttl?: number;
}

/** d digest, n bytes, and where it is: j text, z deflated, k object key, or none of them: a cold item. */
export interface PackedValue {
  readonly d: string;
  readonly n: number;
  readonly j?: string;
  readonly z?: Uint8Array;
  readonly k?: string;
}

export const partitionOf = ({ owner, taskId }: TaskKey) => `${owner}#${taskId}`;
export const hotKey = (key: TaskKey) => ({ pk: partitionOf(key), sk: 'task' });
export const argumentsKey = (digest: string) => `args#${digest}`;
export const initialKey = (digest: string) => `initial#${digest}`;
export const resultKey = (digest: string) => `result#${digest}`;
/** The hot item lists the parts, so it knows them by the head of their digest: 60 bits. */
export const partName = (digest: string) => digest.slice(0, 10);
export const questionKey = (name: string) => `question#${name}`;
export const answerKey = (name: string) => `answer#${name}`;
export const partKey = (name: string) => `part#${name}`;

export function keyFromPartition(pk: string): TaskKey {
  const cut = pk.lastIndexOf('#');
  return { owner: asOwner(pk.slice(0, cut)), taskId: asTaskId(pk.slice(cut + 1)) };
}

/** Starts are spread over the due index's partitions by their id. */
const shardOf = (taskId: TaskId) =>
  String((createHash('sha256').update(taskId).digest()[0] ?? 0) % dueShards);

/** DynamoDB's own unit for expiry. */
const epochS = (ms: number) => Math.ceil(ms / 1000);
const ttlAfterEnd = (endedAtMs: number) => epochS(endedAtMs + retentionMs);
/** Cold items are never live on their own; this outlasts every task they can belong to. */
export const coldTtl = (nowMs: number) => epochS(nowMs + deadlineMsMax + 2 * retentionMs);

/** Deflated whenever that is smaller. */
export function packValue(value: StoredValue): PackedValue {
  const base = { d: value.digest, n: value.bytes };
  if (value.at === 'far') return { ...base, k: value.key };
  const deflated = deflateRawSync(value.json);
  return deflated.length < value.bytes ? { ...base, z: deflated } : { ...base, j: value.json };
}

export function unpackValue(packed: PackedValue): StoredValue | undefined {
  const { d: digest, n: bytes } = packed;
  if (packed.k !== undefined) return { at: 'far', digest, bytes, key: packed.k };
  if (packed.z) {
    return { at: 'near', digest, bytes, json: inflateRawSync(packed.z).toString('utf8') };
  }
  return packed.j === undefined ? undefined : { at: 'near', digest, bytes, json: packed.j };
}

interface Placed {
  readonly hot: PackedValue;
  /** What must be put as an item of its own. */
  readonly cold: PackedValue | undefined;
}

export const placeArguments = (value: StoredValue) => place(value, inlineArgumentsBytesMax);
export const placeInitial = (value: StoredValue) => place(value, inlineInitialBytesMax);
export const placeResult = (value: StoredValue) => place(value, inlineResultBytesMax);

function place(value: StoredValue, inlineBytesMax: number): Placed {
  const packed = packValue(value);
  const size = packed.z?.length ?? packed.j?.length ?? 0;
  if (size <= inlineBytesMax) return { hot: packed, cold: undefined };
  return { hot: { d: packed.d, n: packed.n }, cold: packed };
}

/** The facts of a start, as attributes; a claim writes the same ones if the put was lost. */
export function startAttributes(start: TaskStart, args: PackedValue): Omit<HotItem, 'pk' | 'sk'> {
  const { caller } = start;
  return {
    v: itemVersion,
    tool: start.tool,
    status: 'working',
    owner: start.owner,
    made: start.createdAtMs,
    shard: shardOf(start.taskId),
    due: newTask(start).dueMs,
    ends: start.deadlineMs,
    seen: start.createdAtMs,
    seq: 0,
    args,
    fence: 0,
    until: 0,
    token: '',
    fails: 0,
    pauses: 0,
    ...(start.resultsMax === undefined ? {} : { want: start.resultsMax }),
    ...(start.silenceMs === undefined ? {} : { quiet: start.silenceMs }),
    ...(start.webhookId === undefined ? {} : { hook: start.webhookId }),
    ...(start.unsent ? { unsent: true as const } : {}),
    ...(start.checkMs === undefined ? {} : { ask: start.checkMs }),
    ...(caller.callId === undefined ? {} : { call: caller.callId }),
    ...(caller.kind === 'session' ? { session: caller.sessionId } : {}),
  };
}

export function endAttributes(event: EndEvent, result: PackedValue | undefined): Partial<HotItem> {
  const { by = 'worker' } = event;
  const ended = {
    status: event.kind,
    ended: event.atMs,
    ttl: ttlAfterEnd(event.atMs),
    ...(by === 'worker' ? {} : { by }),
    ...(event.token === undefined ? {} : { token: event.token }),
  };
  switch (event.kind) {
    case 'completed':
      return { ...ended, ...(result ? { res: result } : {}) };
    case 'failed':
      return { ...ended, code: event.error.code, why: event.error.message };
    case 'cancelled':
      return ended;
  }
}
