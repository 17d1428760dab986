import { asCallId, asSessionId } from '../core/ids.ts';
import { questionNameLength } from '../core/question.ts';
import type { KeptValue } from '../core/stored-value.ts';
import type { Caller, Task, TaskState } from '../core/task.ts';
import {
  itemVersion,
  keyFromPartition,
  unpackValue,
  type HotItem,
  type PackedValue,
} from './dynamo-items.ts';
import { unpackNotes } from './progress-notes.ts';

/** A hot item as the task it is. */
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
    silenceMs: item.quiet,
    checkMs: item.ask,
    dueMs: item.due,
    sequence: item.seq,
    progress: item.pct === undefined ? undefined : { percent: item.pct, message: item.note ?? '' },
    recent: item.notes ? unpackNotes(item.notes, item.note ?? '') : [],
    parts: item.parts?.length ?? 0,
    resultsMax: item.want ?? 1,
    ...(item.hook === undefined ? {} : { webhookId: item.hook }),
    ...(item.unsent ? { unsent: item.unsent } : {}),
    handedOff: item.off !== undefined,
    initial: item.init && kept(item.init),
    asking: namesIn(item.asks ?? ''),
    asked: item.asked ?? 0,
    claim: {
      fence: item.fence,
      untilMs: item.until,
      token: item.token,
      failures: item.fails,
      pauses: item.pauses,
    },
    state: stateOf(item),
    late: item.late && kept(item.late),
  };
}

const namesIn = (names: string): readonly string[] =>
  Array.from({ length: names.length / questionNameLength }, (_, index) =>
    names.slice(index * questionNameLength, (index + 1) * questionNameLength),
  );

const kept = (packed: PackedValue): KeptValue => ({ digest: packed.d, value: unpackValue(packed) });

function callerOf({ call, session }: HotItem): Caller {
  const callId = call === undefined ? undefined : asCallId(call);
  if (session !== undefined && callId) {
    return { kind: 'session', sessionId: asSessionId(session), callId };
  }
  return { kind: 'client', ...(callId ? { callId } : {}) };
}

function stateOf(item: HotItem): TaskState {
  const ended = { endedAtMs: item.ended ?? 0, by: item.by ?? 'worker' } as const;
  switch (item.status) {
    case 'working':
    case 'input_required':
      return { status: item.status };
    case 'cancelled':
      return { status: 'cancelled', ...ended };
    case 'failed': {
      const error = { code: item.code ?? 'tool_failed', message: item.why ?? '' } as const;
      return { status: 'failed', ...ended, error };
    }
    case 'completed': {
      const packed = item.res ?? { d: '', n: 0 };
      return { status: 'completed', ...ended, resultDigest: packed.d, result: unpackValue(packed) };
    }
  }
}
