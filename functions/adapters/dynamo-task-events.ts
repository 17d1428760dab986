import type { StoredValue } from '../core/stored-value.ts';
import { statusWhile, type TaskEvent, type Writer } from '../core/task-event.ts';
import type { Task, TaskKey } from '../core/task.ts';
import {
  endAttributes,
  initialKey,
  packValue,
  partKey,
  partName,
  placeInitial,
  placeResult,
  questionKey,
  resultKey,
} from './dynamo-items.ts';
import type { DynamoTable } from './dynamo-task-store.ts';
import { putCold, putFirst } from './dynamo-task-values.ts';
import { setting, updateHot, whileHeld, whileOpen, type ItemWrite } from './dynamo-write.ts';
import { packNotes } from './progress-notes.ts';

/** One event is one write of the hot item; a value too large for it is put before the event that names it. */
export async function recordEvent(
  dynamo: DynamoTable,
  key: TaskKey,
  writer: Writer,
  event: TaskEvent,
): Promise<Task | undefined> {
  const { set, names, values, condition = '' } = await eventWrite(dynamo, key, event);
  const seen = setting({ seen: event.atMs });
  return updateHot(dynamo, key, {
    set: [...set, ...seen.set, '#seq = #seq + :one'],
    names: { ...names, ...seen.names },
    condition: `${writer === 'anyone' ? whileOpen : whileHeld}${condition}`,
    values: {
      ...values,
      ...seen.values,
      ':one': 1,
      ...(writer === 'anyone' ? {} : { ':fence': writer.fence }),
    },
  });
}

type EventWrite = Omit<ItemWrite, 'condition'> & { readonly condition?: string };

async function eventWrite(
  dynamo: DynamoTable,
  key: TaskKey,
  event: TaskEvent,
): Promise<EventWrite> {
  switch (event.kind) {
    case 'progressed': {
      const { percent: pct, message: note, recent, claimUntilMs } = event;
      return onto(
        event.after,
        setting({ pct, note, notes: packNotes(recent), ...until(claimUntilMs) }),
      );
    }
    case 'yielded': {
      const { digest } = event.part;
      await putCold(dynamo, key, partKey(partName(digest)), packValue(event.part));
      const { set, names, values } = setting(until(event.claimUntilMs));
      return onto(event.after, {
        set: [...set, '#parts = list_append(if_not_exists(#parts, :none), :part)'],
        names,
        values: { ...values, ':none': [], ':part': [partName(digest)] },
      });
    }
    case 'asked': {
      const { questions } = event;
      await Promise.all(
        questions.map(({ name, value }) =>
          putFirst(dynamo, key, questionKey(name), packValue(value)),
        ),
      );
      const asks = questions.map(({ name }) => name).join('');
      const { set, names, values } = setting({ status: 'input_required', asks, until: 0 });
      const counts = ['#asked = if_not_exists(#asked, :zero) + :count', '#pauses = #pauses + :one'];
      return {
        set: [...set, ...counts],
        names: { ...names, '#asked': 'asked' },
        values: { ...values, ':count': questions.length },
      };
    }
    case 'answered': {
      const { asking, after } = event;
      const write = onto(after, setting({ status: statusWhile(asking), asks: asking.join('') }));
      return { ...write, condition: `${write.condition} AND #status = :asking` };
    }
    case 'handed_off': {
      const placed = event.initial && placeInitial(event.initial);
      if (placed) await putCold(dynamo, key, initialKey(placed.hot.d), placed.cold);
      return setting({ off: 1, until: 0, ...(placed ? { init: placed.hot } : {}) });
    }
    case 'completed': {
      const { hot, cold } = placeResult(event.result);
      await putCold(dynamo, key, resultKey(hot.d), cold);
      return setting({ ...endAttributes(event, hot), until: 0 });
    }
    case 'failed':
      return ifUnheard(event.heardAtMs, setting({ ...endAttributes(event, undefined), until: 0 }));
    case 'cancelled':
      return setting({ ...endAttributes(event, undefined), until: 0 });
  }
}

const until = (claimUntilMs: number | undefined) =>
  claimUntilMs === undefined ? {} : { until: claimUntilMs };

/** Built on the task as it was read: another event since then makes it void. */
const onto = (after: number, write: Omit<ItemWrite, 'condition'>): EventWrite => ({
  ...write,
  condition: ' AND #seq = :after',
  values: { ...write.values, ':after': after },
});

const ifUnheard = (
  heardAtMs: number | undefined,
  write: Omit<ItemWrite, 'condition'>,
): EventWrite => {
  if (heardAtMs === undefined) return write;
  return {
    ...write,
    condition: ' AND #seen = :heard',
    values: { ...write.values, ':heard': heardAtMs },
  };
};

/** Beside the end, which it does not touch. */
export async function keepLate(
  dynamo: DynamoTable,
  key: TaskKey,
  value: StoredValue,
): Promise<Task | undefined> {
  const { hot, cold } = placeResult(value);
  await putCold(dynamo, key, resultKey(hot.d), cold);
  return updateHot(dynamo, key, {
    ...setting({ late: hot }),
    condition:
      '(#status = :cancelled OR (#status = :failed AND #code = :timed_out)) ' +
      'AND attribute_not_exists(#late)',
  });
}
