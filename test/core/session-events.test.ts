import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstPlace, readPlace } from '../../functions/core/event-place.ts';
import { eventsAfter, type PlacedEvent } from '../../functions/core/session-events.ts';
import { eventReader, eventWorld, type EventWorld, type WorldStep } from './event-world.ts';

const plain = (kind: 'input' | 'begin' | 'quick') => fc.constant<WorldStep>({ kind });
const small = fc.nat({ max: 2 });
const anyStep = fc.oneof(
  { weight: 2, arbitrary: plain('input') },
  { weight: 4, arbitrary: plain('begin') },
  { weight: 1, arbitrary: plain('quick') },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('reply' as const), long: small, quick: small }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('progress' as const, 'end' as const),
      which: fc.nat({ max: 5 }),
    }),
  },
);
/** What happens, and after it how many events each of two readers gets before its stream is cut. */
const anyStory = fc.array(fc.record({ step: anyStep, first: small, second: fc.nat({ max: 9 }) }), {
  maxLength: 60,
  size: 'max',
});

const nameOf = ({ event, data }: PlacedEvent) => JSON.stringify([event, data]);
const durable = (events: readonly PlacedEvent[]) =>
  events.filter(({ event }) => event !== 'progress');
/** A status may come again, but only after another. */
const facts = (events: readonly PlacedEvent[]) =>
  durable(events)
    .filter(({ event }) => event !== 'status')
    .map(nameOf)
    .toSorted();
const statuses = (events: readonly PlacedEvent[]) =>
  events.filter(({ event }) => event === 'status').map(nameOf);

interface Scene {
  readonly step: WorldStep;
  readonly first: number;
  readonly second: number;
}

function playAndRead(story: readonly Scene[]) {
  const world = eventWorld();
  const [first, second] = [eventReader(world), eventReader(world)];
  for (const { step, ...kept } of story) {
    world.do(step);
    first.look(kept.first);
    second.look(kept.second);
  }
  const late = eventReader(world);
  for (const reader of [first, second, late]) reader.drain();
  return { world, readers: [first.read, second.read, late.read] as const };
}

function expectOrder(world: EventWorld, events: readonly PlacedEvent[]) {
  const at = (event: string, test: (data: Record<string, unknown>) => boolean) =>
    events.findIndex((one) => one.event === event && test({ ...one.data }));
  for (const { number, intent, reply } of world.turns) {
    if (!reply) continue;
    const turn = at('turn', (data) => data.number === number);
    expect(turn).toBeGreaterThanOrEqual(0);
    for (const { inputId } of intent.inputs) {
      expect(at('input', (data) => data.input_id === inputId)).toBeLessThan(turn);
    }
    for (const { callId } of intent.deliveries) {
      expect(at('task', (data) => data.call_id === callId)).toBeLessThan(turn);
    }
    for (const { callId } of reply.calls) {
      const isCall = (data: Record<string, unknown>) => data.call_id === callId;
      const made = at('call', isCall);
      expect(made).toBeGreaterThan(turn);
      for (const name of ['task', 'progress']) {
        const told = at(name, isCall);
        if (told >= 0) expect(told).toBeGreaterThan(made);
      }
    }
  }
}

describe('the events of a session', () => {
  it('reach every reader exactly once and in order, wherever its stream is cut', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { world, readers } = playAndRead(story);
        const late = readers[2];
        expect(facts(late)).toHaveLength(new Set(facts(late)).size);
        for (const events of readers) {
          expect(facts(events)).toEqual(facts(late));
          expect(statuses(events)).toEqual(statuses(late));
          expectOrder(world, events);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tell progress in order, none twice and none after the end', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const events of playAndRead(story).readers) {
          const seen = new Map<string, number>();
          for (const { event, data } of events) {
            if (event === 'task') seen.set(data.call_id, Infinity);
            if (event !== 'progress') continue;
            expect(data.sequence).toBeGreaterThan(seen.get(data.call_id) ?? 0);
            seen.set(data.call_id, data.sequence);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('go on from any event as if nothing had happened', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { world, readers } = playAndRead(story);
        const late = readers[2];
        for (const [index, { id }] of late.entries()) {
          const again = eventReader(world);
          again.read.push(...late.slice(0, index + 1));
          again.drain();
          expect(again.read).toEqual(late);
          expect(id).not.toBe(late[index + 1]?.id);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tell who comes late every input between the turn before it and its own', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { world, readers } = playAndRead(story);
        const late = readers[2].map(nameOf);
        const at = (part: string) => late.findIndex((name) => name.includes(part));
        for (const { number, intent } of world.turns) {
          for (const { inputId } of intent.inputs) {
            expect(at(`"${inputId}"`)).toBeGreaterThan(at(`"number":${number - 1},`));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('say a status only when it changes', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const told = statuses(playAndRead(story).readers[2]);
        for (const [index, status] of told.entries()) expect(status).not.toBe(told[index + 1]);
      }),
      { numRuns: 200 },
    );
  });

  it('say that a turn runs before it is replied to', () => {
    const world = eventWorld();
    const reader = eventReader(world);
    world.do({ kind: 'input' });
    world.do({ kind: 'begin' });
    reader.drain();
    expect(reader.read.map(({ event }) => event)).toEqual(['input', 'status']);
    world.do({ kind: 'input' });
    world.do({ kind: 'reply', long: 0, quick: 0 });
    reader.drain();
    const names = reader.read.slice(2).map(({ event }) => event);
    expect(names).toEqual(['turn', 'status', 'input']);
  });

  it('wait with the status until the quick calls beside a pending one are answered', () => {
    const world = eventWorld();
    const reader = eventReader(world);
    world.do({ kind: 'input' });
    world.do({ kind: 'begin' });
    world.do({ kind: 'reply', long: 1, quick: 1 });
    reader.drain();
    const names = () => reader.read.map(({ event }) => event);
    expect(names()).toEqual(['input', 'status', 'turn', 'call', 'call']);
    world.do({ kind: 'quick' });
    reader.drain();
    expect(reader.read.at(-1)).toMatchObject({ data: { status: 'input_required' } });
  });

  it('give who is far behind the progress that is remembered', () => {
    const world = eventWorld();
    for (const kind of ['input', 'begin'] as const) world.do({ kind });
    world.do({ kind: 'reply', long: 1, quick: 0 });
    world.do({ kind: 'quick' });
    for (let n = 0; n < 20; n += 1) world.do({ kind: 'progress', which: 0 });
    const reader = eventReader(world);
    reader.drain();
    const told = reader.read.filter(({ event }) => event === 'progress');
    expect(told.map(({ data }) => 'sequence' in data && data.sequence)).toEqual([
      13, 14, 15, 16, 17, 18, 19, 20,
    ]);
  });

  it('are none for a session in which nothing happened', () => {
    const world = eventWorld();
    expect(eventsAfter(firstPlace, world.factsAt(firstPlace))).toEqual([]);
    expect(readPlace('0.0.0')).toEqual(firstPlace);
  });
});
