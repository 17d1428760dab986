import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { asCallId, asOwner, asSessionId, asTaskId, type TaskId } from '../core/ids.ts';
import { deadlineMsMax, dueShards, retentionMs } from '../core/limits.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { EndEvent } from '../core/task-event.ts';
import type { Caller, Task, TaskErrorCode, TaskKey, TaskStart, TaskState } from '../core/task.ts';

/**
 * The storage schema of the Tasks table. pk = owner#taskId.
 *
 *   sk             what                                  written
 *   task           the hot item, under 1 KB              by every event
 *   args#digest    arguments too large for the hot item  once, beside the start
 *   result#digest  result too large for the hot item     once, before the end
 *   state          the checkpoint                        by checkpoint()
 *
 * Cold items are named by digest, so that two racing writers cannot overwrite each other's value.
 * Attribute names of the hot item are short because DynamoDB bills them with every write.
 */
export const itemVersion = 1;

/** What still leaves room for the rest of a hot item under 1,024 bytes. */
const inlineArgumentsBytesMax = 220;
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
  readonly pct?: number;
  readonly note?: string;
  readonly ended?: number;
  readonly res?: PackedValue;
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
export const resultKey = (digest: string) => `result#${digest}`;

export function keyFromPartition(pk: string): TaskKey {
  const cut = pk.lastIndexOf('#');
  return { owner: asOwner(pk.slice(0, cut)), taskId: asTaskId(pk.slice(cut + 1)) };
}

/** Starts are spread over the due index's partitions by their id. */
export const shardOf = (taskId: TaskId) =>
  String((createHash('sha256').update(taskId).digest()[0] ?? 0) % dueShards);

/** DynamoDB's own unit for expiry. */
const epochS = (ms: number) => Math.ceil(ms / 1000);
export const ttlAfterEnd = (endedAtMs: number) => epochS(endedAtMs + retentionMs);
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

export interface Placed {
  readonly hot: PackedValue;
  /** What must be put as an item of its own. */
  readonly cold: PackedValue | undefined;
}

export const placeArguments = (value: StoredValue) => place(value, inlineArgumentsBytesMax);
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
    due: start.deadlineMs,
    ends: start.deadlineMs,
    seen: start.createdAtMs,
    seq: 0,
    args,
    fence: 0,
    until: 0,
    token: '',
    fails: 0,
    pauses: 0,
    ...(caller.callId === undefined ? {} : { call: caller.callId }),
    ...(caller.kind === 'session' ? { session: caller.sessionId } : {}),
  };
}

export function endAttributes(event: EndEvent, result: PackedValue | undefined): Partial<HotItem> {
  const ended = { status: event.kind, ended: event.atMs, ttl: ttlAfterEnd(event.atMs) };
  switch (event.kind) {
    case 'completed':
      return { ...ended, ...(result ? { res: result } : {}) };
    case 'failed':
      return { ...ended, code: event.error.code, why: event.error.message };
    case 'cancelled':
      return ended;
  }
}

export function taskFromItem(item: HotItem): Task {
  if (item.v > itemVersion)
    throw new Error(`An item of version ${item.v} is newer than this code.`);
  return {
    ...keyFromPartition(item.pk),
    tool: item.tool,
    caller: callerOf(item),
    argumentsDigest: item.args.d,
    createdAtMs: item.made,
    updatedAtMs: item.seen,
    deadlineMs: item.ends,
    sequence: item.seq,
    progress: item.pct === undefined ? undefined : { percent: item.pct, message: item.note ?? '' },
    claim: {
      fence: item.fence,
      untilMs: item.until,
      token: item.token,
      failures: item.fails,
      pauses: item.pauses,
    },
    state: stateOf(item),
  };
}

function callerOf({ call, session }: HotItem): Caller {
  const callId = call === undefined ? undefined : asCallId(call);
  if (session !== undefined && callId) {
    return { kind: 'session', sessionId: asSessionId(session), callId };
  }
  return { kind: 'client', ...(callId ? { callId } : {}) };
}

function stateOf(item: HotItem): TaskState {
  const endedAtMs = item.ended ?? 0;
  switch (item.status) {
    case 'working':
    case 'input_required':
      return { status: item.status };
    case 'cancelled':
      return { status: 'cancelled', endedAtMs };
    case 'failed':
      return {
        status: 'failed',
        endedAtMs,
        error: { code: item.code ?? 'tool_failed', message: item.why ?? '' },
      };
    case 'completed': {
      const packed = item.res ?? { d: '', n: 0 };
      return {
        status: 'completed',
        endedAtMs,
        resultDigest: packed.d,
        result: unpackValue(packed),
      };
    }
  }
}
