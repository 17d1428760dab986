import { firstPlace, readPlace, type EventPlace } from '../../functions/core/event-place.ts';
import { progressOnto } from '../../functions/core/progress.ts';
import { isSettled } from '../../functions/core/session-status.ts';
import {
  eventsAfter,
  type PlacedEvent,
  type SessionFacts,
} from '../../functions/core/session-events.ts';
import type { Input } from '../../functions/core/session.ts';
import { recordEvent } from '../../functions/core/task-event.ts';
import { hasEnded, newTask, type Task } from '../../functions/core/task.ts';
import { openCallsAfter, type Call, type Turn } from '../../functions/core/turn.ts';
import { inputAt, longCall, turnWith } from './sample-turn.ts';
import { sampleStart } from './sample-task.ts';

/** What may happen to a session, one step at a time; a step that has no place there does nothing. */
export type WorldStep =
  | { readonly kind: 'input' | 'begin' | 'quick' }
  | { readonly kind: 'reply'; readonly long: number; readonly quick: number }
  | { readonly kind: 'progress' | 'end'; readonly which: number };

const pageSize = 4;

const quickCall = (name: string): Call => ({ ...withoutTask(longCall(name)), tool: 'quick' });
const withoutTask = ({ taskId: _none, ...call }: Call): Call => call;

/** The items of one session, grown by the rules that matter to its readers. */
export function eventWorld() {
  const turns: Turn[] = [];
  const inputs: Input[] = [];
  const tasks = new Map<string, Task>();
  const last = () => turns.at(-1);

  const openTask = (which: number) => {
    const open = openCallsAfter(last()).flatMap(({ taskId }) => tasks.get(taskId) ?? []);
    const going = open.filter((task) => !hasEnded(task));
    return going[which % Math.max(1, going.length)];
  };
  const begin = () => {
    const before = last();
    if (before && !isSettled(before)) return;
    const through = before?.intent.inputsThrough ?? 0;
    const open = openCallsAfter(before);
    const isOver = ({ taskId }: { taskId: string }) => {
      const task = tasks.get(taskId);
      return task !== undefined && hasEnded(task);
    };
    const deliveries = open.filter(isOver).map(({ callId, taskId, tool }) => ({
      callId,
      taskId,
      tool,
      sequence: tasks.get(taskId)?.sequence ?? 0,
      kind: 'end' as const,
      way: 'append' as const,
      status: 'completed' as const,
    }));
    const consumed = inputs.filter(({ number }) => number > through);
    const isReason =
      consumed.length + deliveries.length > 0 || before?.reply?.finishReason === 'tool_calls';
    if (!isReason) return;
    turns.push(
      turnWith(
        {
          inputs: consumed,
          inputsThrough: consumed.at(-1)?.number ?? through,
          deliveries,
          open: open.filter((call) => !isOver(call)),
        },
        {},
        { number: turns.length + 1, reply: undefined },
      ),
    );
  };
  const reply = (long: number, quick: number) => {
    const turn = turns.pop();
    if (!turn) return;
    if (turn.reply) return void turns.push(turn);
    const { number, intent } = turn;
    const calls = [
      ...Array.from({ length: quick }, (_, n) => quickCall(`${number}q${n}`)),
      ...Array.from({ length: long }, (_, n) => longCall(`${number}l${n}`)),
    ];
    for (const { taskId } of calls) {
      if (taskId) tasks.set(taskId, { ...newTask({ ...sampleStart, taskId }) });
    }
    const isOpen = long > 0 || intent.open.length > 0;
    const rest = isOpen ? 'input_required' : 'stop';
    const finishReason = long === 0 && quick > 0 ? 'tool_calls' : rest;
    const replied = turnWith(intent, { calls, finishReason, text: `turn ${number}` }, { number });
    // Only where other calls are pending are the responses kept with the turn.
    turns.push(long > 0 ? replied : { ...replied, quick: [] });
  };
  const settle = () => {
    const turn = turns.pop();
    if (turn) turns.push(turn.reply ? { ...turn, quick: [] } : turn);
  };
  return {
    turns,
    inputs,
    tasks,
    do(step: WorldStep): void {
      switch (step.kind) {
        case 'input':
          return void inputs.push(inputAt(1000, inputs.length + 1));
        case 'begin':
          return begin();
        case 'reply':
          return reply(step.long, step.quick);
        case 'quick':
          return settle();
        case 'progress': {
          const task = openTask(step.which);
          const event = task && progressOnto(task, { percent: 1 }, { atMs: 1 });
          const next = event && recordEvent(task, 'anyone', event);
          return void (next && tasks.set(next.taskId, next));
        }
        case 'end': {
          const task = openTask(step.which);
          const result = { at: 'near', digest: 'd', bytes: 2, json: '{}' } as const;
          const event = { kind: 'completed', result, atMs: 1 } as const;
          const next = task && recordEvent(task, 'anyone', event);
          return void (next && tasks.set(next.taskId, next));
        }
      }
    },
    /** As a reader of the stores finds it, a small page at a time. */
    factsAt(place: EventPlace): SessionFacts {
      const page = turns.filter(({ number }) => number >= place.turn - 1).slice(0, pageSize);
      return {
        turns: page,
        isTail: page.length < pageSize,
        inputs: inputs.filter(({ number }) => number > place.input),
        tasks: new Map([...tasks.values()].map((task) => [task.taskId, task])),
      };
    },
  };
}

export type EventWorld = ReturnType<typeof eventWorld>;

/** A reader that may lose its stream after any event, and then knows only the last event's id. */
export function eventReader(world: EventWorld) {
  const read: PlacedEvent[] = [];
  return {
    read,
    look(keep = Infinity): number {
      const place = read.length === 0 ? firstPlace : readPlace(read.at(-1)?.id ?? '');
      if (!place) throw new Error('An event has an id that cannot be read.');
      const events = eventsAfter(place, world.factsAt(place)).slice(0, keep);
      read.push(...events);
      return events.length;
    },
    drain(): void {
      while (this.look() > 0);
    },
  };
}
